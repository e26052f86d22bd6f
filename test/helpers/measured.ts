/** Whose lines and branches count towards the floor: what ships. */
export const measured = ['server/**/*.ts', 'renderer/**/*.{ts,tsx}']

/**
 * What does not:
 * - `server/tools`, and what configures builds, run on the machine of a developer and ship nowhere;
 * - `electron` has no place above, since its binary is not there where tests run: its parts have unit tests, and a
 *   stand-in for Electron runs all of it against the dashboard, but neither is the real thing.
 */
export const unmeasured = ['server/tools/**', '**/vite.config.ts', '**/*.d.ts']
