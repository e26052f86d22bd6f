import { commandLine } from '../app/config/callers.ts'
import { resolveOptions } from '../app/config/resolve.ts'
import { connect, type Connection, type ConnectOptions, NoSandboxError } from './connect.ts'

/** Sandbox of a demo. */
export interface DemoSandbox {
  connection: Connection
  /** Whether it was started for the demo. */
  isOwn: boolean
  close(): Promise<void>
}

/**
 * Returns the running sandbox, or starts one in memory on a free port if none runs and none was named.
 * @throws {CommandError} if the named sandbox does not respond
 */
export async function findOrStartSandbox(options: ConnectOptions): Promise<DemoSandbox> {
  const connection = await connect(options)
  try {
    await connection.call('GET clock')
    return { connection, isOwn: false, close: async () => {} }
  } catch (error) {
    if (!(error instanceof NoSandboxError) || isNamed(options)) throw error
  }
  const { runSandbox } = await import('../app/run-sandbox.ts')
  const running = await runSandbox(
    await resolveOptions(
      { ephemeral: true, port: 0 },
      { ...process.env, HUB_SANDBOX_DATA: undefined },
      commandLine,
    ),
  )
  const { controlToken } = running.deps.settings
  const own = await connect({
    url: running.url,
    ...(controlToken === undefined ? {} : { controlToken }),
  })
  return { connection: own, isOwn: true, close: () => running.close() }
}

/** HUB_SANDBOX_DATA does not name a running sandbox: it also sets the folder of the next start. */
function isNamed({ url, data }: ConnectOptions): boolean {
  return [url, data, process.env['HUB_SANDBOX_URL'] || undefined].some((name) => name !== undefined)
}
