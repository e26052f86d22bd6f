import type { Environment } from '../../app/config/flag-sources.ts'
import type { AppItem } from '../../contract/control-apps.ts'
import type { TokenItem } from '../../contract/control-tokens.ts'
import { trustStoreOf } from '../../contract/client-settings.ts'
import { isScope, scopes as hubScopes } from '../../contract/scopes.ts'
import { suggestion } from '../../contract/suggestion.ts'
import { own } from '../../core/own.ts'
import type { CommandFor } from './check-sandbox.ts'
import { type Finding, type FindingLevel, findingsAbout } from './finding.ts'
import { urlProblem } from './url-problem.ts'

/** What a sandbox knows of the values of variables. */
export interface KnownValues {
  readonly apps: readonly AppItem[]
  readonly tokens: readonly Pick<TokenItem, 'token' | 'state'>[]
  /** Names of the Spaces. */
  readonly spaces: readonly string[]
  readonly certificatePath?: string | undefined
}

interface Problem {
  text: string
  /** Default: `fail`. */
  level?: FindingLevel
  /** Default: set the variables with `env` again. */
  fix?: string
}

interface Surroundings {
  urls: readonly string[]
  env: Environment
  known: KnownValues | undefined
  commandFor: CommandFor
}

interface Row {
  about: string
  /** Whether the value must not be printed. */
  isSecret?: boolean
  /** @param value empty if the variable is not set */
  problemOf(this: void, value: string, around: Surroundings): Problem | undefined
}

/** Variables that `env` sets, each with its check. Certificates, caches and Xet have checks of their own. */
const rows: Readonly<Record<string, Row>> = {
  OPENID_PROVIDER_URL: {
    about: 'issuer',
    problemOf(value, { urls }) {
      const problem = value === '' ? undefined : urlProblem(value, urls)
      if (problem === undefined) return undefined
      return { text: `${problem} Clients compare it with the issuer, character by character.` }
    },
  },
  OAUTHLIB_INSECURE_TRANSPORT: {
    about: 'oauthlib',
    problemOf(value, { urls, env }) {
      const isPlain = urls[0]?.startsWith('http:') === true
      if (!isPlain && value !== '') {
        const text = 'is set, but this sandbox uses HTTPS: oauthlib would accept plain HTTP.'
        return { level: 'note', text, fix: 'unset OAUTHLIB_INSECURE_TRANSPORT' }
      }
      if (!isPlain || value !== '' || !own(env, 'OAUTH_CLIENT_ID')) return undefined
      return { level: 'note', text: 'is not set: requests-oauthlib refuses plain HTTP.' }
    },
  },
  OAUTH_CLIENT_ID: {
    about: 'app',
    problemOf(value, { known }) {
      // A URL is the address of a client metadata document, which the sandbox reads at the sign-in.
      if (value === '' || known === undefined || /^https?:/.test(value)) return undefined
      if (appOf(value, known) !== undefined) return undefined
      const named = known.apps.find(({ name }) => name === value)
      const hint =
        named === undefined
          ? suggestion(
              value,
              known.apps.map(({ clientId }) => clientId),
            )
          : ` (it is a name; the client id of this app is ${named.clientId})`
      return { text: `is ${value}, which is no app of the sandbox${hint}.` }
    },
  },
  OAUTH_CLIENT_SECRET: {
    about: 'app',
    isSecret: true,
    problemOf(value, { env, known, commandFor }) {
      const clientId = own(env, 'OAUTH_CLIENT_ID')
      const app = known && clientId ? appOf(clientId, known) : undefined
      if (known === undefined || app === undefined || (app.clientSecret ?? '') === value) {
        return undefined
      }
      const fix = `eval "$(${commandFor('env', '--client', app.clientId)})"`
      if (app.clientSecret === undefined) {
        const text = `is set, but the app ${app.name} is public: it has no secret.`
        return { text, fix: 'unset OAUTH_CLIENT_SECRET' }
      }
      if (value === '') return { text: `is not set, but the app ${app.name} has a secret.`, fix }
      const other = known.apps.find(({ clientSecret }) => clientSecret === value)
      const whose = other === undefined ? '' : ` but that of ${other.name}`
      return { text: `(${masked(value)}) is not the secret of the app ${app.name}${whose}.`, fix }
    },
  },
  OAUTH_SCOPES: {
    about: 'scopes',
    problemOf(value) {
      const unknown = value.split(/\s+/).filter((name) => name !== '' && !isScope(name))
      const [first] = unknown
      if (first === undefined) return undefined
      const isList = first.split(',').every(isScope)
      const hint = isList
        ? ': separate scopes with spaces, not commas'
        : unknown.length === 1
          ? suggestion(first, Object.keys(hubScopes))
          : ''
      return { text: `has scopes that the Hub does not have: ${unknown.join(' ')}${hint}.` }
    },
  },
  HF_TOKEN: {
    about: 'token',
    isSecret: true,
    problemOf(value, { known, commandFor }) {
      // Another check reports tokens of the real Hub; a list does not contain signed tokens.
      if (known === undefined || !/(?:^|_)sandbox/.test(value) || value.includes('.')) {
        return undefined
      }
      const token = known.tokens.find((one) => one.token === value)
      if (token?.state === 'active') return undefined
      const what = token === undefined ? 'is no token of this sandbox' : `is ${token.state}`
      return {
        text: `(${masked(value)}) ${what}: it will be refused.`,
        fix: `export HF_TOKEN="$(${commandFor('token')})", or run the program with "exec"`,
      }
    },
  },
  SPACE_ID: {
    about: 'space',
    problemOf(value, { env, known }) {
      if (value === '') return undefined
      const isKnown = known?.spaces.some((name) => name.toLowerCase() === value.toLowerCase())
      if (known !== undefined && isKnown !== true) {
        const hint = suggestion(value, known.spaces)
        const text = `is ${value}, which is no Space of the sandbox${hint}.`
        return { text, fix: 'unset SPACE_ID, or add the Space to "repos" in the fixtures' }
      }
      if (own(env, 'SYSTEM') === 'spaces') return undefined
      const text = `is ${value}, but SYSTEM is not "spaces": Gradio does not believe it is in a Space.`
      return { level: 'note', text, fix: 'export SYSTEM=spaces' }
    },
  },
  JAVA_TOOL_OPTIONS: {
    about: 'java',
    problemOf(value, { known }) {
      const path = known?.certificatePath
      if (path === undefined || value === '') return undefined
      if (value.includes(`-Djavax.net.ssl.trustStore=${trustStoreOf(path)}`)) return undefined
      return {
        level: 'note',
        text: `is ${value}, without the trust store of this sandbox: Java does not trust its certificate.`,
      }
    },
  },
}

/** Checks the variables that `env` sets, one after the other. */
export function checkVariables(
  urls: readonly string[],
  env: Environment,
  known: KnownValues | undefined,
  commandFor: CommandFor,
): Finding[] {
  const usual = `eval "$(${commandFor('env')})"`
  const around = { urls, env, known, commandFor }
  return Object.entries(rows).flatMap(([name, { about, isSecret, problemOf }]) => {
    const value = own(env, name) ?? ''
    const problem = wrappedIn(value, isSecret) ?? problemOf(value, around)
    if (problem === undefined) return []
    const { text, level = 'fail', fix = usual } = problem
    return [{ ...findingsAbout(about).wrong(`${name} ${text}`, fix), level }]
  })
}

/** Quotes and spaces around a value come from files that are not read as a shell reads them. */
function wrappedIn(value: string, isSecret = false): Problem | undefined {
  const inner = value.trim().replace(/^(["'])(.*)\1$/s, '$2')
  // Java reads options that begin with a quote.
  if (inner === value || value.trim() === '' || /["']-D/.test(value)) return undefined
  const shown = isSecret ? masked(value) : JSON.stringify(value)
  return { text: `has quotes or spaces around its value (${shown}).` }
}

function appOf(clientId: string, { apps }: KnownValues): AppItem | undefined {
  return apps.find((app) => app.clientId === clientId)
}

/** Enough to recognize a value, never all of it: it may be one of the real Hub. */
function masked(value: string): string {
  return `${value.slice(0, Math.min(4, Math.floor(value.length / 3)))}...`
}
