import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type JavaProperties, javaToolOptions } from '../../contract/java-options.ts'
import type { Connection } from '../connect.ts'
import {
  programEnvironment,
  type Variables,
  withoutRealCredentials,
} from './program-environment.ts'
import type { Run, RunPart } from './run-part.ts'
import { trustProperties, trustVariables } from './trust.ts'

/**
 * Returns the environment of the program of a run.
 * @param clientVariables variables for any client of the sandbox
 * @param modules that the user preloads in Node programs
 */
export async function environmentOfRun(
  run: Run,
  clientVariables: Variables,
  parts: readonly RunPart[],
  modules: readonly string[],
): Promise<Record<string, string>> {
  const { connection, folder, baseUrl } = run
  const inherited: Variables = process.env
  const certificates = [
    ...(await certificateOf(connection)),
    ...parts.flatMap((part) => part.certificates ?? []),
  ]
  const layers = [
    run.options.keepToken === true ? {} : withoutRealCredentials(inherited, folder),
    clientVariables,
    // Without one, the variable of the user belongs to another sandbox.
    { HUB_SANDBOX_URL: connection.url, HUB_SANDBOX_CONTROL_TOKEN: connection.controlToken },
    await trustVariables(certificates, inherited, folder),
    javaVariables(inherited, [
      await trustProperties(certificates, folder),
      ...parts.map((part) => part.javaProperties ?? {}),
    ]),
    ...parts.map((part) => part.variables ?? {}),
  ]
  return programEnvironment(inherited, layers, {
    // Rerouting comes first: the user's own modules may send requests.
    modules: [...parts.flatMap((part) => part.imports ?? []), ...modules],
    hosts: [
      ...[connection.url, baseUrl].map((url) => new URL(url).hostname),
      ...parts.flatMap((part) => part.directHosts ?? []),
    ],
  })
}

/** The options of the user stay. Those of `env` are for a shell: a run has a trust store of its own. */
function javaVariables(inherited: Variables, properties: readonly JavaProperties[]): Variables {
  const all = Object.assign({}, ...properties) as JavaProperties
  const { JAVA_TOOL_OPTIONS: existing } = inherited
  if (Object.keys(all).length === 0) return { JAVA_TOOL_OPTIONS: existing }
  return { JAVA_TOOL_OPTIONS: javaToolOptions(existing, all) }
}

async function certificateOf({ certificatePath }: Connection): Promise<string[]> {
  if (certificatePath === undefined) return []
  return [new X509Certificate(await readFile(certificatePath)).toString()]
}
