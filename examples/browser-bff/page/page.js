// The browser knows only the number of an order, and the one route of its backend.

const form = document.querySelector("form");
const answer = document.querySelector("[role=status]");

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  // created once for each action of the visitor, so that a repeated fetch sends no second message
  const requestId = crypto.randomUUID();
  const order = new FormData(form).get("order");
  const failed = "That did not work. Please try again.";
  say("Sending …");
  try {
    const response = await fetch("/api/order-texts", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ order, requestId }),
    });
    const { said } = await response.json();
    say(said ?? failed);
  } catch {
    say(failed);
  }
});

/** @param {string} text */
function say(text) {
  if (answer !== null) answer.textContent = text;
}
