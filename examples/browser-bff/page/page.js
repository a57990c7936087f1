// The browser knows only an order number and the backend's only route.

const form = document.querySelector("form");
const answer = document.querySelector("[role=status]");

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  // One id per click of the visitor: if the browser repeats the fetch, no second message is sent.
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
