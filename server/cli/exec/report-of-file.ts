import { commandLine } from '../../app/config/callers.ts'
import { resolveOptions } from '../../app/config/resolve.ts'
import { connect } from '../connect.ts'

/**
 * Returns the HTML report of a recorded run. A sandbox that loads the file has the log of the whole run, which the
 * sandbox of the run drops at each reset.
 */
export async function reportOfFile(path: string): Promise<string> {
  const { runSandbox } = await import('../../app/run-sandbox.ts')
  // The file may come from a sandbox with another port, or with HTTPS.
  const options = { ephemeral: true, port: 0, https: false, fixtures: path }
  const running = await runSandbox(await resolveOptions(options, {}, commandLine))
  try {
    const { call } = await connect({ url: running.url })
    return (await call('GET report')).text
  } finally {
    await running.close()
  }
}
