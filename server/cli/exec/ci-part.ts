import { ciProviderNames } from '../../contract/words/ci-words.ts'
import { CommandError } from '../command-error.ts'
import type { ExecOptions } from './exec-options.ts'
import type { RunPartMaker } from './run-part.ts'

/** Claims that are numbers (RFC 7519 §4.1). */
const times = new Set(['exp', 'iat', 'nbf'])

/** `--ci PROVIDER`: the command runs as a CI job, whose identity the sandbox exchanges for a token. */
export const ciPart: RunPartMaker = {
  isWanted: ({ ci, ciClaim, ciDrill }) =>
    ci !== undefined || ciClaim !== undefined || ciDrill !== undefined,
  startOptions(options) {
    if (options.ci === undefined) {
      const flag = options.ciClaim === undefined ? '--ci-drill' : '--ci-claim'
      throw new CommandError(`${flag} requires --ci, for example --ci github.`, { exitCode: 2 })
    }
    readClaims(options)
    return {}
  },
  async begin(run) {
    const { connection, options } = run
    const { ci = 'github', ciDrill: drill } = options
    const { variables, claims, resources } = await connection.call('POST ci/jobs', {
      body: {
        provider: ci,
        claims: readClaims(options),
        ...(drill === undefined ? {} : { drill }),
      },
    })
    const chosen = process.env['HF_OIDC_RESOURCE'] ?? resources[0]
    if (chosen === undefined) {
      const { sub } = claims
      run.print(
        `No trusted publisher matches this ${ciProviderNames[ci]} job (${String(sub)}): add one to the repo, or change the claims with --ci-claim.`,
      )
    }
    return {
      // A token would take precedence over the identity of the job.
      variables: {
        HF_TOKEN: undefined,
        HUGGING_FACE_HUB_TOKEN: undefined,
        ...variables,
        HF_OIDC_RESOURCE: chosen,
      },
    }
  },
}

/** @throws {CommandError} for a claim that is not `name=value` */
function readClaims({ ciClaim = [] }: ExecOptions): Record<string, string | number> {
  const claims = new Map<string, string | number>()
  for (const claim of ciClaim) {
    const equals = claim.indexOf('=')
    const [name, value] = [claim.slice(0, equals), claim.slice(equals + 1)]
    if (equals <= 0) {
      throw new CommandError(
        `Invalid claim ${JSON.stringify(claim)}: write name=value, for example --ci-claim ref=refs/heads/dev.`,
        { exitCode: 2 },
      )
    }
    if (claims.has(name)) {
      throw new CommandError(`The claim ${name} was given twice.`, { exitCode: 2 })
    }
    claims.set(name, times.has(name) && /^\d+$/.test(value) ? Number(value) : value)
  }
  return Object.fromEntries(claims)
}
