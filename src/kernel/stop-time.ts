/** Time limit for a clean shutdown, from the stop signal on. */
export const stopMsMax = 5_000;
