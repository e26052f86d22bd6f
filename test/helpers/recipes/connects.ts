import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFailed, onTestFinished, test } from 'vitest'
import type { AppItem } from '../../../server/contract/control-apps.ts'
import type { FlowList } from '../../../server/contract/control-requests.ts'
import type { SnippetList } from '../../../server/contract/control-snippets.ts'
import { dotenvLine } from '../../../server/contract/dotenv.ts'
import type { Framework } from '../../../server/contract/words/sandbox-words.ts'
import { type Sandbox, startSandbox } from '../../../server/index.ts'
import { programs } from '../../../server/lab/snippets/frameworks.ts'
import { freePort } from '../free-port.ts'
import { hasProgram } from '../programs.ts'
import { root } from '../packed.ts'
import { untilItAnswers } from './app.ts'
import type { Needs, Provided } from './needs.ts'
import { environmentOf } from './under-sandbox.ts'
import { createWebUser, type WebUser } from './web-user.ts'

/** A snippet that runs. */
export interface RunningSnippet {
  sandbox: Sandbox
  /** Origin of the program; empty for one that serves nothing. */
  url: string
  /** Alice in front of a browser without scripts. */
  alice: WebUser
  /** Output so far. */
  said: () => string
}

/**
 * Tests that an app signs in with nothing but the snippet that the dashboard shows, for each kind of app that the
 * framework supports.
 * @param greeting text that the program shows to alice when she is signed in
 * @param signIn signs in as alice; returns what the program shows
 * @param more files of the recipe that the install command of the snippet writes
 */
export function connects(
  framework: Framework,
  needs: readonly Needs[],
  greeting: string,
  signIn: (running: RunningSnippet) => Promise<string | null>,
  more: readonly string[] = [],
): void {
  const { requires, folder } = programs[framework]
  const kinds = (['secret', 'public'] as const).filter((kind) => (requires ?? kind) === kind)
  describe(`the snippet for ${framework}`, { timeout: 240_000 }, () => {
    test.for(kinds)('signs in with an app that is %s', async (kind, { skip }) => {
      skip(!hasProgram('sh', '-c', 'true'), 'sh is not installed')
      const provided = await provide(needs, join(root, 'test/recipes', folder))
      skip(provided.obstacle !== undefined, provided.obstacle)
      const sandbox = await startSandbox()
      onTestFinished(() => sandbox.close())
      const app = await registerFor(sandbox, framework, kind)
      const text = await signIn(await runSnippet(sandbox, app, framework, provided, more))
      expect(text).toContain(greeting)
      const { items } = await sandbox.control<FlowList>('GET', 'flows')
      expect(items.map(({ app: of, outcome }) => [of?.clientId, outcome])).toContainEqual([
        app.clientId,
        'completed',
      ])
    })
  })
}

async function provide(needs: readonly Needs[], source: string): Promise<Provided> {
  let all: Provided = {}
  for (const need of needs) {
    const provided = await need(source)
    all = { ...all, ...provided, variables: { ...all.variables, ...provided.variables } }
    if (all.obstacle !== undefined) return all
  }
  return all
}

/** Registers an app and adds the redirect URI of the snippet, as the button of the dashboard does. */
async function registerFor(
  sandbox: Sandbox,
  framework: Framework,
  kind: 'secret' | 'public',
): Promise<AppItem> {
  const app = await sandbox.control<AppItem>('POST', 'apps', {
    name: 'Mine',
    public: kind === 'public',
    scopes: ['openid', 'profile', 'email'],
  })
  const { redirectUri } = await snippetOf(sandbox, app, framework)
  if (redirectUri === undefined) return app
  return sandbox.control('PATCH', `apps/${app.clientId}`, { redirectUris: [redirectUri] })
}

async function snippetOf(sandbox: Sandbox, { clientId }: AppItem, framework: Framework) {
  const { items } = await sandbox.control<SnippetList>('GET', `apps/${clientId}/snippets`)
  const snippet = items.find((item) => item.framework === framework)
  if (snippet === undefined) throw new Error(`no snippet for ${framework}`)
  return snippet
}

async function runSnippet(
  sandbox: Sandbox,
  app: AppItem,
  framework: Framework,
  { folder: home, variables }: Provided,
  more: readonly string[],
): Promise<RunningSnippet> {
  const snippet = await snippetOf(sandbox, app, framework)
  expect(snippet).not.toHaveProperty('refusedBecause')
  expect(snippet).not.toHaveProperty('unsuited')
  // Below the packages, so that Node finds them as it does in the user's own folder.
  const folder = mkdtempSync(
    home === undefined ? join(root, 'node_modules/.snippet-') : join(home, 'run-'),
  )
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  const port = await freePort()
  const environment = Object.entries(snippet.environment).map(([name, value]) =>
    dotenvLine(name, name.endsWith('PORT') ? String(port) : value),
  )
  const files = {
    ...Object.fromEntries(more.map((name) => [name, recipeFile(framework, name)])),
    ...Object.fromEntries(snippet.files.map(({ name, text }) => [name, text])),
    '.env': `${environment.join('\n')}\n`,
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const said = startShell(snippet.run, folder, {
    ...variables,
    GRADIO_ANALYTICS_ENABLED: 'False',
    NEXT_TELEMETRY_DISABLED: '1',
  })
  onTestFailed(() => void process.stderr.write(`The snippet said:\n${said()}\n`))
  const url = snippet.url === undefined ? '' : `http://localhost:${port}`
  if (url !== '') await untilItAnswers(url)
  const alice = createWebUser({ sandboxUrl: sandbox.url, username: 'alice', decision: 'approve' })
  return { sandbox, url, alice, said }
}

function recipeFile(framework: Framework, name: string): string {
  return readFileSync(join(root, 'test/recipes', programs[framework].folder, name), 'utf8')
}

/** Runs a command until the test ends. @returns its output so far */
function startShell(
  command: string,
  cwd: string,
  environment: Record<string, string>,
): () => string {
  const child = spawn('sh', ['-c', command], {
    cwd,
    env: environmentOf(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: what the shell starts ends with it.
    detached: true,
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  }
  const closed = once(child, 'close')
  onTestFinished(async () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
    } catch (error) {
      // It has ended by itself.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
    await closed
  })
  return () => said
}
