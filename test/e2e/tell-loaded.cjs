// Required before a program: when the program exits, writes the list of CommonJS modules that it has loaded.

const { writeFileSync } = require("node:fs");
const process = require("node:process");

process.on("exit", () => {
  writeFileSync(process.env.LOADED_FILES_LIST ?? "", JSON.stringify(Object.keys(require.cache)));
});
