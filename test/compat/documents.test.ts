import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { splitCommand } from '../../server/hub/jobs/command-line.ts'
import { cliCommand, isBuiltCommand } from '../helpers/command-line.ts'
import { codeBlocks, codeBlockWith, documents } from '../helpers/documents.ts'
import { watchRun } from '../helpers/expect-silent.ts'
import { printed, watch } from '../helpers/printed.ts'
import { bareEnvironment, hasProgram, run } from '../helpers/programs.ts'
import { startShownReceiver } from '../helpers/receivers.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const packageJson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, { types: string; default: string }>
}
const defaultUrl = 'http://localhost:7420'
const patience = 60_000

/** The file that an import of the package stands for: of its sources only where they changed since it was built. */
function fileOf(specifier: string): string {
  const entry = packageJson.exports[specifier.replace('hub-sandbox', '.')]!
  const source = entry.types.replace('./dist/types/', '').replace('.d.ts', '.ts')
  return join(root, isBuiltCommand ? entry.default : source)
}

const start = (
  command: readonly string[],
  { env = {}, cwd }: { env?: Record<string, string>; cwd?: string } = {},
): ChildProcess =>
  spawn(command[0]!, command.slice(1), {
    cwd,
    env: bareEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/** Replaces the names of the package by its files. */
function withImportsOf(code: string): string {
  return code.replaceAll(/'(hub-sandbox[\w/]*)'/g, (_all, name: string) =>
    JSON.stringify(pathToFileURL(fileOf(name)).href),
  )
}

/** GETs without following redirects, with any headers. */
async function getRaw(url: string, headers: Record<string, string>) {
  const [response] = (await once(http.get(url, { headers }), 'response')) as [http.IncomingMessage]
  return { headers: response.headers, body: await text(response) }
}

/** Runs an example as a program of its own. */
function runExample(code: string, env: Record<string, string> = {}): ChildProcess {
  const folder = temporaryDirectory()
  const file = join(folder, 'example.mts')
  writeFileSync(file, withImportsOf(code))
  const child = start([process.execPath, '--import', import.meta.resolve('tsx'), file], { env })
  onTestFinished(() => void child.kill())
  return child
}

describe('the documentation', () => {
  test.each([
    ['starts a sandbox in a test', 'new URL(denied)', '200\n401\ntrue\naccess_denied\n'],
    ['exchanges the ID token of a CI job', 'ciToken', '200\n400\n'],
  ])('%s', { timeout: patience }, async (_title, word, output) => {
    const child = runExample(codeBlockWith('ts', word))
    const [printed, failures] = await Promise.all([text(child.stdout!), text(child.stderr!)])
    expect(failures).toBe('')
    expect(printed).toBe(output)
  })

  test('tests an app, with the file of a kit', { timeout: 2 * patience }, async () => {
    const kit = join(root, 'test/kits/node-test')
    const code = codeBlockWith('js', 'startApp')
    expect(code).toBe(readFileSync(join(kit, 'app.test.js'), 'utf8'))
    const folder = temporaryDirectory()
    cpSync(kit, folder, { recursive: true })
    writeFileSync(join(folder, 'app.test.js'), withImportsOf(code))
    const flags = ['--import', import.meta.resolve('tsx'), '--test', 'app.test.js']
    const watched = watchRun(temporaryDirectory(), [])
    const command = [...cliCommand, 'exec', ...watched.flags, '--', process.execPath, ...flags]
    const child = start(command, { cwd: folder })
    const [printed] = await Promise.all([text(child.stdout!), once(child, 'close')])
    expect(printed).toMatch(/# pass 3\n# fail 0/)
    watched.expectSilent()
  })

  test.each([
    ['README.md', 'js', /^repo\.content update acme\/corpus$/m],
    ['server/receiver/README.md', 'ts', /^acme\/corpus is now at [0-9a-f]{40}$/m],
  ])(
    'receives deliveries with the example of %s',
    { timeout: patience },
    async (path, language, line) => {
      const sandbox = await startTestSandbox()
      const secret = 'a secret'
      const { code } = codeBlocks(language).find(
        (block) => block.path === path && block.code.includes('createWebhooks'),
      )!
      const receiver = watch(runExample(code.replace('8000', '0')))
      const [, url] = await printed(receiver, /POST (.+)\n/, 'stdout')
      const received = printed(receiver, line, 'stdout')
      await sandbox.control('POST', 'webhooks', {
        user: 'alice',
        url,
        secret,
        watched: [{ type: 'org', name: 'acme' }],
      })
      await sandbox.trigger({ event: 'repo.content', repo: 'acme/corpus' })
      await received
      expect(await sandbox.waitForDelivery(({ state }) => state === 'succeeded')).toBeDefined()
    },
  )

  test.each([
    ['a mistake', '?access_token=hf_sandbox_alice', 1],
    ['no mistake', '', 0],
    ['no request', undefined, 3],
  ])(
    'ends a CI job with the exit code for an app with %s, whose tests reset',
    { timeout: patience },
    async (_title, query, exitCode) => {
      const folder = temporaryDirectory()
      const request = query === undefined ? '' : `await fetch(HF_ENDPOINT + '/api/models${query}')`
      const reset = `await fetch(HUB_SANDBOX_URL + '/_sandbox/api/reset', { method: 'POST' })`
      const lines = ['const { HF_ENDPOINT, HUB_SANDBOX_URL } = process.env', request, reset]
      writeFileSync(join(folder, 'app.mjs'), lines.join('\n'))
      const scripts = { test: 'node app.mjs' }
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts }))
      const [step] = parse(codeBlockWith('yaml', '--fail-on')) as [{ run: string }]
      const here = cliCommand.map((word) => `"${word}"`).join(' ')
      const command = step.run.replaceAll('npx --no hub-sandbox', here)
      const child = start(['sh', '-c', command], { cwd: folder })
      const [code] = (await once(child, 'close')) as [number]
      expect(code).toBe(exitCode)
    },
  )

  test('calls the sandbox with curl', { timeout: patience }, async ({ skip }) => {
    skip(
      !hasProgram('curl') || !hasProgram('sh', '-c', 'exit 0'),
      'curl or a POSIX shell is not installed',
    )
    const sandbox = await startTestSandbox()
    const commands = codeBlocks('sh').flatMap(
      ({ code }) => code.replaceAll('\\\n', '').match(/^ *curl .*$/gm) ?? [],
    )
    expect(commands.length).toBeGreaterThan(6)
    for (const command of commands) {
      const here = command.replaceAll(defaultUrl, sandbox.url).replace('curl ', 'curl -sS --fail ')
      const response = JSON.parse(await run('sh', ['-c', here])) as object
      expect.soft(response, command).not.toHaveProperty('error')
    }
  })

  test('lists errors by their real texts', { timeout: patience }, async () => {
    const sandbox = await startTestSandbox({ largeFiles: 'lfs' })
    const { port } = new URL(sandbox.url)
    const [app] = sandbox.fixtures.apps
    const wrong = new URLSearchParams({
      client_id: app!.clientId,
      redirect_uri: 'http://localhost/nowhere',
      response_type: 'code',
    })
    const ask = async (path: string, headers: Record<string, string> = {}) => {
      const { headers: received, body } = await getRaw(`${sandbox.url}${path}`, headers)
      return `${received.location ?? ''} ${body}`
    }
    // The first request loads the control API, from sources in more than a second.
    await ask('/_sandbox/health')
    const startAt = (busyPort: string) =>
      text(start([...cliCommand, 'start', '--ephemeral', '--port', busyPort]).stderr!)
    const other = http.createServer().listen(0, 'localhost')
    onTestFinished(() => void other.close())
    await once(other, 'listening')
    const { port: otherPort } = other.address() as AddressInfo
    const problems = {
      'A sandbox runs at … already': await startAt(port),
      'Port 7420 … is in use': (await startAt(String(otherPort))).replace(
        String(otherPort),
        '7420',
      ),
      forbidden_host: await ask('/', { host: 'evil.example' }),
      forbidden_origin: await ask('/oauth/userinfo', { origin: 'https://app.example' }),
      'Invalid redirect_uri': await ask(`/oauth/authorize?${wrong.toString()}`),
      'xet-is-not-emulated': await ask('/api/models/alice/tiny-sentiment/xet-read-token/main'),
    }
    const readme = documents.find(({ path }) => path === 'README.md')?.text
    for (const [message, problem] of Object.entries(problems)) {
      expect(readme).toContain(`\`${message}\``)
      for (const part of message.split(' … ')) expect.soft(problem).toContain(part)
    }
  })

  test('clones with git as it says', { timeout: patience }, async ({ skip }) => {
    skip(!hasProgram('git') || !hasProgram('sh', '-c', 'exit 0'), 'git or a shell is missing')
    const sandbox = await startTestSandbox()
    const folder = temporaryDirectory()
    const host = new URL(sandbox.url).host
    const block = codeBlockWith('sh', 'git clone http://localhost:7420')
    const commands = block.trim().split('\n')
    for (const command of commands) {
      await run('sh', ['-c', `cd '${folder}' && ${command.replace('localhost:7420', host)}`])
    }
    expect(readdirSync(folder).toSorted()).toEqual(['corpus', 'ranker-internal'])
  })

  test('shows commands that work', { timeout: 4 * patience }, async () => {
    const isSample = (path: string) => /^test\/(kits|recipes)\/.+\//.test(path)
    const ofSamples = documents.filter(({ path }) => isSample(path)).map(({ text: page }) => page)
    const pages = documents.filter(({ path }) => !isSample(path)).map(({ text: page }) => page)
    // Those of samples are short and much the same.
    const found = [...pages, ofSamples.join('\n')]
      .map((page) => commandsIn(page))
      .filter(({ length }) => length > 0)
    expect(found.length).toBeGreaterThan(4)
    const results = await Promise.all(found.map(runCommands))
    expect(results.flat().filter(({ code }) => code !== 0)).toEqual([])
  })
})

/** The commands that a page shows in blocks and in lines, each once. */
function commandsIn(page: string): string[] {
  const code = [...page.matchAll(/```(?:sh|powershell)\n([^]*?)```|`([^`\n]+)`/g)].map(
    ([, block, word]) => block ?? word ?? '',
  )
  const commands = code
    .flatMap((text) => [...text.matchAll(/^[^#\n]*npx --no hub-sandbox ([^")|>#\n]+)/gm)])
    .map(([, words = '']) => words.trim())
    // `stop` would end the process of this test; the other one is a placeholder.
    .filter((words) => words !== 'stop' && words !== 'COMMAND')
  return [...new Set(commands)]
}

/** Commands that run until they are stopped. */
const endless = new Set(['start', 'listen', 'cimd', 'space-frame'])
/** Those of them that say on stderr that they are ready. */
const notices = new Set(['listen', 'cimd', 'space-frame'])

/** Files that a shown command reads. */
const readFiles = { 'hub.json': '{}' }

/** Repos of the sandbox, in the place of those that a page pulls from the real Hub. */
const pulled = new Map([
  ['org/name', 'alice/tiny-sentiment'],
  ['org/model', 'alice/tiny-sentiment'],
  ['datasets/org/name', 'datasets/acme/corpus'],
  ['hf-internal-testing/tiny-random-bert', 'alice/tiny-sentiment'],
  ['datasets/cornell-movie-review-data/rotten_tomatoes', 'datasets/acme/corpus'],
  ['spaces/gradio/hello_world', 'spaces/alice/sentiment-demo'],
])

/** Runs commands in their order against one sandbox, in one folder. */
async function runCommands(commands: readonly string[]) {
  const sandbox = await startTestSandbox()
  await sandbox.signIn()
  // For "device approve latest".
  const publicApp = sandbox.fixtures.apps.find(({ clientSecret }) => clientSecret === undefined)
  await fetch(`${sandbox.url}/oauth/device`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: publicApp?.clientId ?? '', scope: 'openid' }),
  })
  await sandbox.trigger({ event: 'repo.content', repo: 'acme/corpus' })
  const folder = temporaryDirectory()
  for (const [name, content] of Object.entries(readFiles))
    writeFileSync(join(folder, name), content)
  const receiver = await startShownReceiver()
  onTestFinished(() => receiver.close())
  const results: { command: string; code: number; failures: string }[] = []
  for (const command of commands) {
    const words = splitCommand(command.replaceAll(defaultUrl, sandbox.url)).map((word) =>
      command.startsWith('audit ') ? word.replace('http://localhost:8000', receiver.url) : word,
    )
    const child = start([...cliCommand, ...runnable(words)], {
      // As `env` sets them: `doctor` looks for the second.
      env: { HUB_SANDBOX_URL: sandbox.url, HF_ENDPOINT: sandbox.url },
      cwd: folder,
    })
    const failures = text(child.stderr!)
    // These run until they are stopped, and report that they are ready.
    const isEndless = endless.has(words[0] ?? '') || words.includes('--follow')
    const ready = notices.has(words[0] ?? '') ? child.stderr! : child.stdout!
    ready.once('data', () => isEndless && child.kill('SIGINT'))
    child.stdout!.resume()
    const [code] = (await once(child, 'close')) as [number]
    results.push({ command, code, failures: await failures })
  }
  return results
}

/** The arguments of a shown command, so that it can run here: at a free port, and around a program that makes one correct request. */
function runnable(words: readonly string[]): string[] {
  if (words[0] === 'start') {
    return [...words, '--port', '0', '--ephemeral', '--json', '--log-level', 'error']
  }
  if (words[0] === 'pull') return words.map((word) => pulled.get(word) ?? word)
  if (words[0] !== 'exec') return [...words]
  const request = 'fetch(process.env.HF_ENDPOINT + "/api/models")'
  return [...words.slice(0, words.indexOf('--')), '--', process.execPath, '--eval', request]
}
