import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Connection } from '../connect.ts'
import {
  programEnvironment,
  type Variables,
  withoutRealCredentials,
} from './program-environment.ts'
import type { Run, RunPart } from './run-part.ts'
import { trustVariables } from './trust.ts'

/**
 * All that the program of a run is given.
 * @param clientVariables what any client must set to use the sandbox
 * @param modules what the user has Node programs load first
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
    // Where it has none, the one of the user's own variables belongs to another sandbox.
    { HUB_SANDBOX_URL: connection.url, HUB_SANDBOX_CONTROL_TOKEN: connection.controlToken },
    await trustVariables(certificates, inherited, folder),
    ...parts.map((part) => part.variables ?? {}),
  ]
  return programEnvironment(inherited, layers, {
    // First what reroutes requests: the user's own modules may make some.
    modules: [...parts.flatMap((part) => part.imports ?? []), ...modules],
    hosts: [
      ...[connection.url, baseUrl].map((url) => new URL(url).hostname),
      ...parts.flatMap((part) => part.directHosts ?? []),
    ],
  })
}

async function certificateOf({ certificatePath }: Connection): Promise<string[]> {
  if (certificatePath === undefined) return []
  return [new X509Certificate(await readFile(certificatePath)).toString()]
}
