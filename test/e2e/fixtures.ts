// The tests of the sandbox use what it ships for the tests of others.
export { expect, test } from '../../server/playwright.ts'
