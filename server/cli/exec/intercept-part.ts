import { join } from 'node:path'
import { packageRoot } from '../../core/package-root.ts'
import { originsVariable } from '../../client/reroute/from-environment.ts'
import { readOrigins, type RoutedOrigin } from '../../core/routed-origins.ts'
import { CommandError } from '../command-error.ts'
import type { ExecOptions } from './exec-options.ts'
import type { Run, RunPartMaker } from './run-part.ts'

/**
 * `--intercept ORIGINS`: requests of Node programs to these origins go to the sandbox. What it means for the sandbox, the
 * flag says to its start by itself.
 */
export const interceptPart: RunPartMaker = {
  isWanted: (options) => givenOrigins(options) !== undefined,
  startOptions(options) {
    interceptedOrigins(options)
    return {}
  },
  async begin(run) {
    const origins = interceptedOrigins(run.options)
    checkIssuer(run, origins)
    const names = origins.map(({ origin }) => origin)
    run.print(
      `Requests of Node programs to ${names.join(', ')} go to this sandbox and never to the real Hub.`,
    )
    if (run.options.proxy !== true) {
      run.print('Other programs would still reach the real Hub: add --proxy to redirect them too.')
    }
    return {
      imports: [join(packageRoot, 'dist', 'server', 'intercept.cjs')],
      variables: { [originsVariable]: names.join(',') },
      // A proxy of the user would connect to the real hub itself.
      directHosts: origins.map(({ host }) => host),
    }
  },
}

function givenOrigins({ intercept }: ExecOptions): readonly string[] | undefined {
  const texts = intercept ?? (process.env[originsVariable] || undefined)
  return texts === undefined ? undefined : [texts].flat()
}

/** @throws {CommandError} with exit code 2 */
export function interceptedOrigins(options: ExecOptions): readonly RoutedOrigin[] {
  const texts = (givenOrigins(options) ?? []).flatMap((text) => text.split(','))
  const { origins, problems } = readOrigins(texts.map((text) => text.trim()))
  const [problem] = problems
  if (problem !== undefined) throw new CommandError(`--intercept ${problem}.`, { exitCode: 2 })
  return origins
}

/** A running sandbox has an issuer, and clients refuse any other (OpenID Connect Discovery §4.3). */
function checkIssuer({ isOwn, baseUrl, connection }: Run, [first]: readonly RoutedOrigin[]): void {
  if (isOwn || baseUrl === first?.origin) return
  throw new CommandError(
    `The sandbox at ${connection.url} has the issuer ${baseUrl}, not ${first?.origin}: start it with --intercept ${first?.origin}, or omit --url.`,
    { exitCode: 2 },
  )
}
