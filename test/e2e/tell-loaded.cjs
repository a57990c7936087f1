// Required before a program: when that ends, writes down the modules of its own that were loaded.

const { writeFileSync } = require("node:fs");
const process = require("node:process");

process.on("exit", () => {
  writeFileSync(process.env.LOADED_FILES_LIST ?? "", JSON.stringify(Object.keys(require.cache)));
});
