import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Finding } from '../../server/cli/doctor/finding.ts'
import { commandText } from '../../server/core/shell-words.ts'
import { cliCommand, commandLineWorld } from '../helpers/command-line.ts'
import { printed } from '../helpers/printed.ts'
import { openServer } from '../helpers/json-receiver.ts'
import { controlAt } from '../helpers/sandbox.ts'

const { folder, run, shell, start } = commandLineWorld()
const patience = 120_000

/** Nothing of this shell is wrong but what a test says. */
const wellSet = (url: string) => ({ HF_ENDPOINT: url })

async function examine(args: readonly string[], env: Record<string, string>) {
  const { code, stdout, stderr } = await run(['doctor', '--json', ...args], env).ended
  expect(stderr).toBe('')
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] }
  expect(code).toBe(ok ? 0 : 1)
  const about = (name: string) => findings.filter((finding) => finding.about === name)
  return { ok, findings, about }
}

describe('doctor', { timeout: patience }, () => {
  test('reports no problem for a new sandbox, with a line for each finding', async () => {
    const { sandbox } = await start(['--ephemeral'])
    const at = ['--url', sandbox.url]
    const { ok, findings } = await examine(at, wellSet(sandbox.url))
    expect({ ok, rest: findings.filter(({ level }) => level === 'fail') }).toEqual({
      ok: true,
      rest: [],
    })
    const { stdout } = await run(['doctor', ...at], wellSet(sandbox.url)).ended
    const begins = stdout
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('      '))
    // The code cache is a detail for programs.
    const shown = findings.filter(({ about }) => about !== 'code-cache')
    expect(begins.map((line) => line.slice(6))).toEqual(shown.map(({ text }) => text))
    expect(findings.some((finding) => 'mend' in finding)).toBe(false)
    expect(stdout).not.toContain('\u001b')
  })

  test.skipIf(process.platform === 'win32')(
    'writes to the data folder to check that it is writable',
    async () => {
      const doctor = commandText([...cliCommand, 'doctor', '--json', '--data', folder()])
      // As on a full disk, a new file can be made and nothing written into it.
      const full = await shell(
        `trap '' XFSZ; ulimit -f 0; HUB_SANDBOX_NO_CODE_CACHE=1 ${doctor} | cat`,
      )
      const { findings } = JSON.parse(full.stdout) as { findings: Finding[] }
      expect(findings.find(({ about }) => about === 'folder')).toMatchObject({
        level: 'fail',
        text: expect.stringContaining('is not writable'),
      })
      expect(readdirSync(folder())).toEqual([])
    },
  )

  test('finds the sandbox of a data folder that only --data names', async () => {
    await start([])
    const side = join(folder(), 'side')
    const { about } = await examine(['--data', side], {})
    expect(about('sandbox')).toEqual([
      expect.objectContaining({
        level: 'fail',
        text: `No sandbox is running with the data folder ${side}.`,
        fix: expect.stringMatching(` start --data ${side}"\\.$`),
      }),
    ])
    expect(about('endpoint')).toEqual([])
  })

  test('lists active overrides with the command that ends each', async () => {
    const { sandbox } = await start(['--ephemeral'])
    const at = ['--url', sandbox.url]
    const call = async (path: string, body: object) =>
      (await controlAt(sandbox.url).post<{ id: string }>(path, body)).body
    await call('clock', { advance: '8h' })
    const fault = await call('faults', { match: { route: '/oauth/token' }, status: 500, times: 3 })
    const barrier = await call('barriers', { match: { route: '/oauth/userinfo' }, count: 2 })
    const bent = await examine(at, wellSet(sandbox.url))
    expect(bent.ok).toBe(true)
    expect(bent.about('clock')[0]?.text).toContain('8h ahead of real time')
    expect(bent.about('fault')[0]?.fix).toContain(`fault remove ${fault.id} --url ${sandbox.url}`)
    expect(bent.about('fault')[0]?.text).toContain('3 left')
    expect(bent.about('barrier')[0]?.fix).toContain(`barrier release ${barrier.id}`)
    expect(bent.about('clock')).toHaveLength(1)
    await call('clock', { frozen: true })
    const frozen = await examine(at, wellSet(sandbox.url))
    expect(frozen.about('clock')[0]).toMatchObject({ level: 'note' })
    expect(frozen.about('clock')[0]?.fix).toContain('clock resume')
    await call('clock', { set: '2026-01-01T00:00:00Z' })
    const behind = await examine(at, wellSet(sandbox.url))
    expect(behind.about('clock')[1]?.text).toMatch(/PyJWT.* reject an ID token whose exp/)
  })

  test('compares each variable of env with what the sandbox knows', async () => {
    const { sandbox } = await start(['--ephemeral'])
    const { url } = sandbox
    const at = ['--url', url]
    const printed = await run(['env', '--json', ...at]).ended
    const right = JSON.parse(printed.stdout) as Record<string, string>
    type Created = Record<'access_token' | 'clientSecret', string>
    const create = async (path: string, body: object) =>
      (await controlAt(url).post<Created>(path, body)).body
    const { clientSecret } = await create('apps', { name: 'Other app', redirectUris: [] })
    const { access_token: token } = await create('tokens', { user: 'alice', role: 'read' })
    expect(token).toBeTypeOf('string')
    const all = { ...right, HF_TOKEN: token }
    const problems = async (env: Record<string, string>) => {
      const { findings } = await examine(at, env)
      const names = [...Object.keys(all), 'SPACE_ID']
      return findings.filter(
        ({ level, text, about }) =>
          level !== 'ok' && about !== 'cache' && names.some((name) => text.startsWith(name)),
      )
    }
    expect(await problems(all)).toEqual([])
    const { port } = new URL(url)
    type Row = [name: string, value: string, text: string]
    // Each command takes seconds, so that one has many wrong variables.
    const runs: Row[][] = [
      [
        ['HF_ENDPOINT', `${url}/`, 'ends with a slash'],
        ['OPENID_PROVIDER_URL', `${url}/`, 'ends with a slash'],
        ['OAUTHLIB_INSECURE_TRANSPORT', '', 'refuses plain HTTP'],
        ['OAUTH_CLIENT_SECRET', clientSecret, 'but that of Other app'],
        ['OAUTH_SCOPES', 'openid,profile', 'not commas'],
        ['HF_TOKEN', 'hf_sandbox_nobody_knows_this', 'no token of this sandbox'],
        ['SPACE_ID', 'alice/no-such-space', 'no Space of the sandbox'],
      ],
      [
        ['HF_ENDPOINT', url.replace(port, '1'), 'another port'],
        ['OPENID_PROVIDER_URL', `"${url}"`, 'quotes or spaces'],
        ['OAUTH_CLIENT_SECRET', '', 'has a secret'],
        ['OAUTH_SCOPES', 'openid profil', 'did you mean "profile"?'],
        ['HF_TOKEN', ` ${token}`, 'quotes or spaces'],
      ],
      [
        ['HF_ENDPOINT', 'http://hub-sandbox-env-failed.invalid', '"env" failed'],
        ['OPENID_PROVIDER_URL', url.replace('http:', 'https:'), 'https: instead of http:'],
        ['OAUTH_CLIENT_ID', '00000000-0000-4000-8000-00000000dead', 'no app of the sandbox'],
      ],
    ]
    for (const rows of runs) {
      const wrong = rows.map(([name, value]) => [name, value] as const)
      const found = await problems({ ...all, ...Object.fromEntries(wrong) })
      expect(found.map(({ text }) => text.split(' ')[0])).toEqual(rows.map(([name]) => name))
      const secrets = wrong.filter(([name, value]) => /TOKEN|SECRET/.test(name) && value !== '')
      const said = JSON.stringify(found)
      expect(secrets.filter(([, value]) => said.includes(value))).toEqual([])
      for (const [index, [, , text]] of rows.entries()) {
        expect(found[index]?.text).toContain(text)
        expect(found[index]?.fix).toBeDefined()
      }
    }
  })

  test('shows for HTTPS which clients trust the certificate, and its file', async () => {
    const data = join(folder(), 'secure')
    const { sandbox } = await start(['--data', data, '--https'])
    const certificate = join(data, 'certificate.pem')
    const other = join(folder(), 'other.pem')
    writeFileSync(other, '')
    const at = ['--data', data]
    const trusted = await examine(at, {
      ...wellSet(sandbox.url),
      NODE_EXTRA_CA_CERTS: certificate,
      SSL_CERT_FILE: certificate,
    })
    expect(trusted.about('certificate')).toEqual([
      expect.objectContaining({ level: 'ok', text: 'Node trusts the certificate.' }),
    ])
    const unset = await examine(at, wellSet(sandbox.url))
    expect(unset.about('certificate').map(({ level }) => level)).toEqual(['fail', 'note'])
    const elsewhere = await examine(at, {
      ...wellSet(sandbox.url),
      NODE_EXTRA_CA_CERTS: certificate,
      SSL_CERT_FILE: other,
      REQUESTS_CA_BUNDLE: join(folder(), 'gone.pem'),
    })
    expect(elsewhere.about('certificate').map(({ text }) => text)).toEqual([
      'Node trusts the certificate.',
      expect.stringContaining('does not contain the certificate'),
      expect.stringContaining('names an unreadable file'),
    ])
    const { fix = '' } = elsewhere.about('certificate')[2] ?? {}
    const fixed = await shell(`${fix}; printf %s "$REQUESTS_CA_BUNDLE"`)
    expect(fixed.stdout).toBe(certificate)
  })

  test('asks for the control token if it is missing', async () => {
    const { sandbox } = await start(['--ephemeral', '--control-token'])
    const { ok, about } = await examine(['--url', sandbox.url], wellSet(sandbox.url))
    expect(ok).toBe(false)
    expect(about('sandbox')[0]?.fix).toContain('--control-token')
  })
})

describe('doctor without a running sandbox', { timeout: patience }, () => {
  let stranger: Awaited<ReturnType<typeof openServer>>
  beforeAll(async () => {
    stranger = await openServer((_request, response) => response.end('hello'))
  })
  afterAll(() => stranger.close())

  test('explains how to start one and runs all other checks', async () => {
    const url = 'http://localhost:9'
    const { ok, about } = await examine(['--url', url], {
      ...wellSet(url),
      HTTP_PROXY: 'http://proxy.invalid',
    })
    expect(ok).toBe(false)
    expect(about('sandbox')).toEqual([
      expect.objectContaining({ level: 'fail', text: `No sandbox is running at ${url}.` }),
    ])
    expect(about('sandbox')[0]?.fix).toContain('--port 9')
    expect(about('node')[0]?.level).toBe('ok')
    expect(about('endpoint')[0]?.level).toBe('ok')
    expect(about('proxy')[0]?.level).toBe('fail')
  })

  test('names the program that uses the port', async () => {
    const url = stranger.origin
    const { about } = await examine(['--url', url], wellSet(url))
    const [found] = about('sandbox')
    expect(found).toMatchObject({ level: 'fail' })
    expect(found?.text).toContain(`Port ${new URL(url).port} is used by`)
    const who = process.platform === 'linux' ? `(process ${process.pid})` : 'is used by'
    expect(found?.text).toContain(who)
  })

  test.skipIf(process.platform === 'win32')(
    'reports a sandbox that accepts connections but does not respond',
    async () => {
      const { child, sandbox } = await start(['--ephemeral'])
      child.kill('SIGSTOP')
      const { about } = await examine(['--url', sandbox.url], wellSet(sandbox.url))
      expect(about('sandbox')).toEqual([
        expect.objectContaining({
          level: 'fail',
          text: expect.stringMatching(
            / accepts connections at .* but has not responded for 5 s\.$/,
          ),
          fix: expect.stringContaining('kill -CONT'),
        }),
      ])
      const status = run(['status', '--json', '--url', sandbox.url])
      await printed(status, new RegExp(`does not respond.* doctor --url ${sandbox.url}$`, 'm'))
      child.kill('SIGCONT')
      const { code, stdout } = await status.ended
      expect(code).toBe(0)
      expect(JSON.parse(stdout)).toMatchObject({ url: sandbox.url })
    },
  )

  test('reports a data folder that is a link or not a folder', async () => {
    const url = 'http://localhost:9'
    const real = join(folder(), 'real')
    mkdirSync(real)
    symlinkSync(real, join(folder(), 'link'))
    const link = await examine(['--url', url, '--data', join(folder(), 'link')], wellSet(url))
    expect(link.about('folder').map(({ text }) => text)).toContain(`It is a link to ${real}.`)
    writeFileSync(join(folder(), 'file'), '')
    const file = await examine(['--url', url, '--data', join(folder(), 'file')], wellSet(url))
    expect(file.about('folder')[0]?.level).toBe('fail')
  })
})
