import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { AppItem } from '../../server/contract/control-apps.ts'
import type { Overview } from '../../server/contract/control-health.ts'
import type { SnippetList } from '../../server/contract/control-snippets.ts'
import { frameworks } from '../../server/contract/words/sandbox-words.ts'
import { createProgram } from '../../server/cli/program.ts'
import { programNames } from '../../server/cli/program-names.ts'
import { commandLineWorld } from '../helpers/command-line.ts'
import { hasProgram } from '../helpers/programs.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'

/** Makes a certificate and starts Node. */
const patience = 60_000

describe('the environment in the dashboard', { timeout: patience }, () => {
  const { folder, run } = commandLineWorld()

  /** Starts a sandbox with the caches of a user, and reads the variables of its dashboard and of `env`. */
  async function readBoth(options: Parameters<typeof startTestSandbox>[0]) {
    const [data, caches] = [join(folder(), 'data'), join(folder(), 'caches')]
    mkdirSync(caches)
    vi.stubEnv('XDG_CACHE_HOME', caches)
    vi.stubEnv('HOME', folder())
    const sandbox = await startTestSandbox({ data, ...options })
    const { stdout } = await run(['env', '--json', '--data', data], { XDG_CACHE_HOME: caches })
      .ended
    const { environment } = await sandbox.control<Overview>('GET', 'overview')
    return { sandbox, environment, printed: JSON.parse(stdout) as Record<string, string> }
  }

  test.each([false, true])(
    'equals the output of env, in the same order, with HTTPS: %s',
    async (https) => {
      const { sandbox, environment, printed } = await readBoth({ https })
      expect(Object.entries(environment)).toEqual(Object.entries(printed))
      const { port } = new URL(sandbox.url)
      expect(environment['HF_HUB_CACHE']).toMatch(new RegExp(`huggingface.${port}.hub$`))
      expect(environment['SSL_CERT_FILE']).toBe(sandbox.certificatePath)
    },
  )

  test('names no local files if the sandbox is reachable from other machines', async () => {
    const { environment, printed } = await readBoth({ https: true, host: ['0.0.0.0'] })
    const names = ['HF_HUB_CACHE', 'HF_ASSETS_CACHE', 'SSL_CERT_FILE']
    expect(Object.keys(printed)).toEqual(expect.arrayContaining(names))
    for (const name of names) expect(environment).not.toHaveProperty(name)
    expect(environment['HF_ENDPOINT']).toBe(printed['HF_ENDPOINT'])
  })
})

describe('env --for', { timeout: patience }, () => {
  const { folder, run } = commandLineWorld()

  test('is explained with every program that it knows', () => {
    const env = createProgram().commands.find((command) => command.name() === 'env')
    let help = ''
    env?.configureOutput({ writeOut: (text) => (help += text) }).outputHelp()
    for (const name of programNames) expect(help).toContain(name)
  })

  test.for(frameworks)(
    'prints a script that writes the program of Connect: %s',
    async (framework, { skip }) => {
      skip(!hasProgram('sh', '-c', 'true'), 'sh is not installed')
      const sandbox = await startTestSandbox()
      const { clientId, clientSecret } = await sandbox.control<AppItem>('POST', 'apps', {
        name: 'Mine\n$(echo no)',
        public: framework === 'huggingface-js',
      })
      const { items } = await sandbox.control<SnippetList>('GET', `apps/${clientId}/snippets`)
      const snippet = items.find((item) => item.framework === framework)
      const printed = await run([
        'env',
        '--for',
        framework,
        '--client',
        clientId,
        '--url',
        sandbox.url,
      ]).ended
      expect(printed.code).toBe(0)
      // The app has no redirect URI yet.
      expect(printed.stderr.includes('does not accept')).toBe(snippet?.redirectUri !== undefined)
      const cwd = mkdtempSync(join(folder(), 'app-'))
      const output = execFileSync('sh', { cwd, input: printed.stdout, encoding: 'utf8' })
      for (const line of [snippet?.install ?? '', snippet?.run ?? '', snippet?.url ?? '']) {
        expect(output).toContain(line)
      }
      for (const { name, text } of snippet?.files ?? []) {
        expect(readFileSync(join(cwd, name), 'utf8')).toBe(text)
      }
      const shown = execFileSync('sh', ['-c', 'set -a; . ./.env; env'], { cwd, encoding: 'utf8' })
      const lines = shown.split('\n')
      for (const [name, value] of Object.entries(snippet?.environment ?? {})) {
        expect(lines).toContain(`${name}=${value}`)
      }
      const secretLine = `OAUTH_CLIENT_SECRET=${clientSecret}`
      expect(lines.includes(secretLine)).toBe(clientSecret !== undefined)

      // Again: now all of them are the user's.
      for (const shell of ['sh', 'bash'].filter((name) => hasProgram(name, '-c', 'true'))) {
        writeFileSync(join(cwd, '.env'), 'MINE=1\n')
        const again = spawnSync(shell, { cwd, input: printed.stdout, encoding: 'utf8' })
        expect(again.status).toBe(1)
        expect(again.stdout).toBe('')
        for (const { name } of [{ name: '.env' }, ...(snippet?.files ?? [])]) {
          expect(again.stderr).toContain(` ${name}`)
        }
        expect(readFileSync(join(cwd, '.env'), 'utf8')).toBe('MINE=1\n')
      }
      // One file of the user is enough: nothing else is written.
      const other = mkdtempSync(join(folder(), 'app-'))
      const last = snippet?.files.at(-1)?.name ?? ''
      mkdirSync(dirname(join(other, last)), { recursive: true })
      symlinkSync('nowhere', join(other, last))
      const refused = spawnSync('sh', { cwd: other, input: printed.stdout, encoding: 'utf8' })
      expect(refused.status).toBe(1)
      expect(refused.stderr).toContain(`This folder already has: ${last}. Nothing was written.`)
      expect(existsSync(join(other, '.env'))).toBe(false)
    },
  )

  test('prints commands that make a project of modules, also where npm made one of CommonJS', async () => {
    const sandbox = await startTestSandbox()
    const printed = await run(['env', '--for', 'hono', '--url', sandbox.url]).ended
    for (const manifest of [undefined, { name: 'mine', type: 'commonjs', version: '2.0.0' }]) {
      const cwd = mkdtempSync(join(folder(), 'app-'))
      if (manifest) writeFileSync(join(cwd, 'package.json'), JSON.stringify(manifest))
      const output = execFileSync('sh', { cwd, input: printed.stdout, encoding: 'utf8' })
      const install = /^Install: (.+)$/m.exec(output)?.[1] ?? ''
      // Without the packages, whose names and versions the recipe's test tries.
      const prepare = install.replace(/ && npm install .+/, '')
      expect(prepare).not.toBe(install)
      execFileSync('sh', ['-c', prepare], { cwd, stdio: 'ignore' })
      const started = spawnSync(process.execPath, ['server.js'], { cwd, encoding: 'utf8' })
      expect(started.stderr).toContain("Cannot find package '@hono/node-server'")
      expect(JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'))).toMatchObject({
        ...manifest,
        type: 'module',
      })
    }
  })

  test('takes display names, and prefers an app of the required kind', async () => {
    const sandbox = await startTestSandbox()
    const { stdout, stderr } = await run(['env', '--for', 'huggingface.js', '--url', sandbox.url])
      .ended
    const app = sandbox.fixtures.apps.find(({ clientSecret }) => clientSecret === undefined)
    expect(stdout).toContain(`OAUTH_CLIENT_ID=${app?.clientId}`)
    expect(stderr).not.toContain('cannot sign in')
    const other = ['--client', 'Team Dashboard', '--url', sandbox.url]
    const refused = await run(['env', '--for', 'huggingface-js', ...other]).ended
    expect(refused.stderr).toContain('Team Dashboard cannot sign in with huggingface.js')
  })
})
