import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { splitCommand } from '../../server/hub/jobs/command-line.ts'
import { cliCommand, isBuiltCommand } from '../helpers/command-line.ts'
import { hasProgram, run } from '../helpers/programs.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const packageJson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, { import: { types: string; default: string } }>
}
const defaultUrl = 'http://localhost:7420'
const patience = 60_000

/** What stands between the fences of a language. */
const blocks = (language: string) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(
    ([, code = '']) => code,
  )
const blockWith = (language: string, word: string): string => {
  const found = blocks(language).filter((code) => code.includes(word))
  expect(found).toHaveLength(1)
  return found[0]!
}

/** The file that an import of the package stands for: of its sources only where they changed since it was built. */
function fileOf(specifier: string): string {
  const entry = packageJson.exports[specifier.replace('hub-sandbox', '.')]!.import
  const source = entry.types.replace('./dist/types/', '').replace('.d.ts', '.ts')
  return join(root, isBuiltCommand ? entry.default : source)
}

const start = (command: readonly string[], environment: Record<string, string>): ChildProcess =>
  spawn(command[0]!, command.slice(1), {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/** Runs an example as a program of its own. */
function runExample(code: string, environment: Record<string, string> = {}): ChildProcess {
  const folder = mkdtempSync(join(tmpdir(), 'hub-sandbox-readme-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'example.mts')
  const imports = code.replaceAll(/'(hub-sandbox[\w/]*)'/g, (_all, name: string) =>
    JSON.stringify(pathToFileURL(fileOf(name)).href),
  )
  writeFileSync(file, imports)
  const child = start([process.execPath, '--import', import.meta.resolve('tsx'), file], environment)
  onTestFinished(() => void child.kill())
  return child
}

describe('README.md', () => {
  test('shows nothing that is not there', () => {
    const links = [...readme.matchAll(/(?:src(?:set)?="|\]\()([^":)]+)[")]/g)].map(
      ([, path = '']) => path,
    )
    expect(links.length).toBeGreaterThan(20)
    const headings = [...readme.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)
    const anchors = new Set(
      headings.map(
        (heading) =>
          `#${heading
            .toLowerCase()
            .replaceAll(/[^\w -]/g, '')
            .replaceAll(' ', '-')}`,
      ),
    )
    const isThere = (path: string) =>
      path.startsWith('#') ? anchors.has(path) : existsSync(join(root, path))
    expect(links.filter((path) => !isThere(path))).toEqual([])
  })

  test('starts a sandbox in a test as it says', { timeout: patience }, async () => {
    const child = runExample(blockWith('ts', 'startSandbox'))
    const [printed, failures] = await Promise.all([text(child.stdout!), text(child.stderr!)])
    expect(failures).toBe('')
    expect(printed).toBe('200\n401\ntrue\naccess_denied\n')
  })

  test('receives the deliveries of a sandbox as it says', { timeout: patience }, async () => {
    const sandbox = await startTestSandbox()
    const secret = 'kept'
    const child = runExample(blockWith('ts', 'createWebhooks'), {
      PORT: '0',
      WEBHOOK_SECRET: secret,
    })
    const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
    const lineWith = async (word: string): Promise<string> => {
      for (;;) {
        const { value, done } = await lines.next()
        if (done === true) throw new Error(`the receiver ended before it printed ${word}`)
        if (value.includes(word)) return value
      }
    }
    const url = (await lineWith('POST ')).replace(/^.*POST /, '')
    await sandbox.control('POST', 'webhooks', {
      user: 'alice',
      url,
      secret,
      watched: [{ type: 'org', name: 'acme' }],
    })
    const { deliveries } = await sandbox.trigger({ event: 'repo.content', repo: 'acme/corpus' })
    expect(await lineWith('is now at')).toMatch(/^acme\/corpus is now at [0-9a-f]{40}$/)
    const delivery = await sandbox.waitForDelivery(({ state }) => state === 'succeeded')
    expect(delivery.id).toBe(deliveries[0]?.id)
  })

  test('asks with curl as it says', { timeout: patience }, async ({ skip }) => {
    skip(
      !hasProgram('curl') || !hasProgram('sh', '-c', 'exit 0'),
      'curl or a POSIX shell is not installed',
    )
    const sandbox = await startTestSandbox()
    const commands = blockWith('sh', 'curl').trim().split('\n\n')
    const answers = await Promise.all(
      commands.map(async (command): Promise<unknown> => {
        const here = command.replaceAll(defaultUrl, sandbox.url).replace('curl ', 'curl -s ')
        return JSON.parse(await run('sh', ['-c', here]))
      }),
    )
    expect(answers).toMatchObject([
      { name: 'alice' },
      { token_type: 'bearer', issued_token_type: expect.stringContaining('access_token') },
    ])
  })

  test('calls the command line as it says', { timeout: 2 * patience }, async () => {
    const sandbox = await startTestSandbox()
    const commands = blocks('sh')
      .flatMap((code) =>
        [...code.matchAll(/npx --no hub-sandbox ([^"\n)]+)/g)].map(([, words = '']) => words),
      )
      // These go on, write into the folder, or run all these tests; the tests of the command line have them.
      .filter((words) => !/^(listen|init|exec)/.test(words))
    expect(commands.length).toBeGreaterThan(6)
    for (const words of commands) {
      // A start goes on, and is ended once it serves.
      const goesOn = words.startsWith('start')
      const more = goesOn ? ['--port', '0', '--ephemeral', '--json', '--log-level', 'error'] : []
      const child = start([...cliCommand, ...splitCommand(words), ...more], {
        HUB_SANDBOX_URL: sandbox.url,
      })
      const failures = text(child.stderr!).then((said) => said.replace(/^hub-sandbox .*\n/, ''))
      child.stdout!.once('data', () => goesOn && child.kill())
      child.stdout!.resume()
      const [code] = (await once(child, 'close')) as [number]
      expect.soft({ words, code, failures: code === 0 ? '' : await failures }).toEqual({
        words,
        code: 0,
        failures: '',
      })
    }
  })
})
