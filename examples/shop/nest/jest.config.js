module.exports = {
  preset: "ts-jest",
  testEnvironment: "node",
  watchman: false,
  haste: { enableSymlinks: false },
};
