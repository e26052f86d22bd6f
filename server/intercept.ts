/**
 * Sends the requests of a Node program to the hub's origins into a sandbox: `node --import hub-sandbox/intercept`, told
 * by the variables HUB_SANDBOX_INTERCEPT (origins, commas between) and HUB_SANDBOX_URL.
 * @module hub-sandbox/intercept
 */
import { interceptByEnvironment } from './client/reroute/from-environment.ts'

try {
  interceptByEnvironment(process.env)
} catch (error) {
  // A program that was to be kept from the hub does not run without what keeps it.
  process.stderr.write(`hub-sandbox/intercept: ${(error as Error).message}.\n`)
  process.exit(2)
}
