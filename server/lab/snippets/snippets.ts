import { clientVariables } from '../../contract/client-settings.ts'
import type { Snippet } from '../../contract/control-snippets.ts'
import type { LargeFileWay } from '../../contract/words/hub-words.ts'
import { frameworkNames, frameworks } from '../../contract/words/sandbox-words.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { matchRedirectUri } from '../../hub/oauth/redirect-uri.ts'
import { settingsScopes } from '../../hub/oauth/scope.ts'
import type { App } from '../../store/entities/oauth-entities.ts'
import { programs, type FrameworkProgram } from './frameworks.ts'
import { recipeCode } from './recipe-code.ts'

/** Loads `.env` in any POSIX shell, for programs that do not read it themselves. */
const loadEnvironment = 'set -a; . ./.env; set +a'

const unsuited = {
  secret: 'It needs an app with a secret. Add one in Settings, or choose another app.',
  public: 'A web page cannot keep a secret. Remove the secret in Settings, or choose a public app.',
} as const

/**
 * Returns the programs that sign in as an app.
 * @param url URL of the sandbox
 * @param space Space that the app belongs to
 * @param certificatePath certificate of an HTTPS sandbox
 * @param largeFiles how the sandbox receives large files
 */
export function listSnippets({
  app,
  url,
  space,
  certificatePath,
  largeFiles,
}: {
  app: App
  url: string
  largeFiles: LargeFileWay
  space?: string | undefined
  certificatePath?: string | undefined
}): Snippet[] {
  const { id: clientId, clientSecret } = app
  const kind = clientSecret === undefined ? 'public' : 'secret'
  return frameworks.map((framework) => {
    const program = programs[framework]
    const { command, origin, callback, requires } = program
    const redirectUri = callback && `${origin}${callback}`
    const match = redirectUri === undefined ? undefined : matchRedirectUri(app, redirectUri)
    return {
      framework,
      name: frameworkNames[framework],
      environment: {
        ...clientVariables({
          url,
          largeFiles,
          certificatePath,
          app: { clientId, clientSecret, scopes: settingsScopes(app) },
          space: spaceOf(program, space),
        }),
        ...program.environment,
      },
      ...recipeCode[framework],
      run: `${loadEnvironment}; ${command}`,
      ...omitUndefined({
        url: origin,
        redirectUri,
        refusedBecause: match?.matches === false ? match.reason : undefined,
        unsuited: requires === undefined || requires === kind ? undefined : unsuited[requires],
      }),
    }
  })
}

/** Gradio signs in only where it takes itself for a Space. */
function spaceOf({ folder }: FrameworkProgram, space: string | undefined): string | undefined {
  return folder === 'gradio-space' ? (space ?? 'alice/my-space') : undefined
}
