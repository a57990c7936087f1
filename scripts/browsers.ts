/** The oldest browsers for which pages are built. They have the CSS function light-dark(). */
export const browsers = ["chrome123", "firefox120", "safari17.5"];
