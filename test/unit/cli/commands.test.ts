import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { renderBanner, renderStartLine } from '../../../server/cli/banner.ts'
import { CommandError } from '../../../server/cli/command-error.ts'
import { containerNotice } from '../../../server/cli/container.ts'
import { clientVariables } from '../../../server/contract/client-settings.ts'
import { describeFailure } from '../../../server/cli/failure.ts'
import { createNews, deliveryRow, forwardAddress } from '../../../server/cli/listen-command.ts'
import { createProgram } from '../../../server/cli/program.ts'
import { requestOf } from '../../../server/cli/trigger-command.ts'
import { userDataFolder } from '../../../server/app/config/data-folder.ts'
import { flagList } from '../../../server/contract/flags.ts'
import { flagName } from '../../../server/core/flag-names.ts'
import { ConfigError } from '../../../server/core/config-error.ts'
import { resolveOptions } from '../../../server/app/config/resolve.ts'
import { createTestDeps } from '../../helpers/deps.ts'
import type { DeliveryItem } from '../../../server/contract/control-deliveries.ts'

describe('flags of start', () => {
  test('arrive as typed, lists in their order', () => {
    const start = createProgram().commands.find((command) => command.name() === 'start')
    start?.parseOptions(
      '--port 0 --host a --host b --auto-approve --run-jobs x=y --seed 7 --no-such'.split(' '),
    )
    expect(start?.opts()).toMatchObject({
      port: '0',
      host: ['a', 'b'],
      autoApprove: true,
      runJobs: ['x=y'],
      seed: '7',
    })
  })
})

describe('the data folder', () => {
  test.each([
    ['linux', {}, '/home/a/.local/share/hub-sandbox'],
    ['linux', { XDG_DATA_HOME: '/data' }, '/data/hub-sandbox'],
    ['linux', { XDG_DATA_HOME: '' }, '/home/a/.local/share/hub-sandbox'],
    ['linux', { XDG_DATA_HOME: 'below/here' }, '/home/a/.local/share/hub-sandbox'],
    ['darwin', {}, '/home/a/Library/Application Support/hub-sandbox'],
  ] as const)('on %s with %j is %s', (platform, env, folder) => {
    expect(userDataFolder({ platform, env, home: '/home/a' })).toBe(folder)
  })

  test.runIf(process.platform === 'linux').each(['', 'here'])(
    'is never below the working folder: HOME=%j',
    (home) => {
      vi.stubEnv('HOME', home)
      vi.stubEnv('XDG_DATA_HOME', undefined)
      expect(isAbsolute(userDataFolder())).toBe(true)
      vi.unstubAllEnvs()
    },
  )

  test('on Windows is in the folder for local data', () => {
    const env = { LOCALAPPDATA: String.raw`C:\Users\a\AppData\Local` }
    const folder = userDataFolder({ platform: 'win32', env, home: '' })
    expect(folder.startsWith(env.LOCALAPPDATA)).toBe(true)
  })
})

describe('trigger', () => {
  test('builds the request from its flags', () => {
    const options = {
      repo: 'acme/corpus',
      kind: 'merge',
      set: ['discussion.title=Hello = there', 'comment.hidden=true', 'discussion.num=3'],
      remove: ['comment.content'],
      send: true,
      repeat: '10',
    }
    expect(requestOf('discussion.update', options)).toEqual({
      event: 'discussion.update',
      repo: 'acme/corpus',
      kind: 'merge',
      mode: 'send',
      overrides: {
        'discussion.title': 'Hello = there',
        'comment.hidden': true,
        'discussion.num': 3,
      },
      remove: ['comment.content'],
      repeat: { times: 10 },
    })
  })

  test.each([
    [undefined, { repo: 'a/b' }, /Missing event/],
    ['repo.content', {}, /Missing --repo/],
    ['repo.content', { repo: 'a/b', set: ['x'] }, /path=value/],
    ['repo.content', { repo: 'a/b', repeat: 'often' }, /--repeat must be a number/],
  ])('refuses %s with %j', (event, options, message) => {
    expect(() => requestOf(event, options)).toThrow(message)
  })
})

describe('env', () => {
  const app = { clientId: 'id', scopes: ['openid', 'email'] }

  test('for a public app has no secret, and for plain HTTP no certificate', () => {
    expect(clientVariables({ url: 'http://localhost:7420', app })).toEqual({
      HF_ENDPOINT: 'http://localhost:7420',
      OPENID_PROVIDER_URL: 'http://localhost:7420',
      OAUTHLIB_INSECURE_TRANSPORT: '1',
      OAUTH_CLIENT_ID: 'id',
      OAUTH_SCOPES: 'openid email',
    })
  })

  test('disables Xet for a sandbox that has none', () => {
    const variables = clientVariables({ url: 'http://localhost:7420', largeFiles: 'lfs' })
    expect(variables['HF_HUB_DISABLE_XET']).toBe('1')
  })

  test('with HTTPS sets the certificate for Node and for other programs', () => {
    const connection = { url: 'https://localhost:7420', certificatePath: '/c.pem' }
    expect(clientVariables({ ...connection, app: { ...app, clientSecret: 's' } })).toMatchObject({
      OAUTH_CLIENT_SECRET: 's',
      NODE_EXTRA_CA_CERTS: '/c.pem',
      SSL_CERT_FILE: '/c.pem',
    })
  })
})

describe('a start in a container', () => {
  const noticeFor = async (host: readonly string[]) =>
    containerNotice(await resolveOptions({ host }))

  test.each([[['localhost']], [['127.0.0.1']], [['127.0.0.2', '::1']]])(
    'that listens on %j prints the flags that allow access',
    async (host) => {
      const notice = await noticeFor(host)
      expect(notice).toContain('--host 0.0.0.0')
      const named = notice?.match(/--[\w-]+/g) ?? []
      expect(named.filter((name) => !flagList.some(({ key }) => flagName(key) === name))).toEqual(
        [],
      )
    },
  )

  test.each([[['0.0.0.0']], [['::']], [['127.0.0.1', '172.17.0.2']]])(
    'that listens on %j prints no hint',
    async (host) => expect(await noticeFor(host)).toBeUndefined(),
  )
})

describe('terminal output', () => {
  test('the first line names the fixtures, the banner the URLs', async () => {
    const options = await resolveOptions({})
    expect(renderStartLine(options)).toMatch(
      /^hub-sandbox \d+\.\d+\.\d+ with the default fixtures$/,
    )
    const { state, user, users } = await createTestDeps()
    state.users.delete(users.alice.id)
    for (const name of ['zoe', 'yan']) user(name)
    const running = {
      url: 'http://localhost:1',
      dashboardUrl: 'http://localhost:1/_sandbox/',
      deps: {
        commandLine: { command: ['npx', '--no', 'hub-sandbox'], options: ['--data', '/a b'] },
        state,
      },
    }
    const banner = renderBanner(options, running, false)
    expect(banner).toContain('http://localhost:1/_sandbox/')
    expect(banner).toContain('bob, carol, dana, mallory, zoe and 1 more\n')
    expect(banner).toContain('in memory only')
    expect(banner).toContain(`eval "$(npx --no hub-sandbox env --data '/a b')"`)
    expect(banner).not.toContain('█')
    expect(renderBanner({ ...options, isLan: true }, running, false)).toContain('█')
  })

  test('the first line names a state that takes precedence over the fixtures', async () => {
    const data = mkdtempSync(join(tmpdir(), 'hub-sandbox-line-'))
    const lineFor = async (reset = false) => renderStartLine(await resolveOptions({ data, reset }))
    writeFileSync(join(data, 'journal-1.ndjson'), '')
    expect(await lineFor()).toMatch(/with the default fixtures$/)
    writeFileSync(join(data, 'journal-1.ndjson'), '{}\n')
    const ending = `with the default fixtures, from the state stored in ${data}`
    expect((await lineFor()).endsWith(ending)).toBe(true)
    expect(await lineFor(true)).toMatch(/with the default fixtures$/)
    rmSync(join(data, 'journal-1.ndjson'))
    writeFileSync(join(data, 'state.json'), '{}')
    expect((await lineFor()).endsWith(ending)).toBe(true)
    rmSync(data, { recursive: true })
  })

  test('a delivery is one line with its outcome and its next attempt', () => {
    const delivery = {
      state: 'waiting',
      scope: 'repo.content',
      action: 'update',
      repo: 'acme/corpus',
      createdAt: '2026-11-20T10:00:00.000Z',
      nextRetryAt: '2026-11-20T10:00:12.000Z',
      attempts: [
        {
          number: 1,
          source: 'auto',
          at: '2026-11-20T10:00:02.000Z',
          outcome: 'failed',
          status: 500,
          durationMs: 12.3,
        },
      ],
    } as unknown as DeliveryItem
    expect(deliveryRow(delivery, delivery.attempts[0]).join('  ')).toBe(
      '10:00:02  failing    repo.content update        acme/corpus  500 in 12 ms, next attempt 10:00:12',
    )
  })

  test('a delivery is printed once per finished attempt, or once without any', () => {
    const news = createNews()
    const attempts = [1, 2].map((number) => ({ number, outcome: 'failed' }))
    const told = (changes: object) => {
      const delivery = { id: 'a', state: 'sending', attempts: [], ...changes } as unknown
      return news(delivery as DeliveryItem).map((attempt) => attempt?.number)
    }
    expect(told({ state: 'queued' })).toEqual([])
    expect(told({ attempts: [{ number: 1 }] })).toEqual([])
    expect(told({ attempts: attempts.slice(0, 1), state: 'waiting' })).toEqual([1])
    expect(told({ attempts: attempts.slice(0, 1), state: 'waiting' })).toEqual([])
    expect(told({ attempts, state: 'succeeded' })).toEqual([2])
    expect(told({ id: 'b', attempts, state: 'succeeded' })).toEqual([1, 2])
    expect(told({ id: 'c', state: 'skipped' })).toEqual([undefined])
    expect(told({ id: 'c', state: 'skipped' })).toEqual([])
  })

  test('an attempt has its number: they end in any order, and only the last are kept', () => {
    const news = createNews()
    const told = (attempts: object[]) =>
      news({ id: 'a', state: 'sending', attempts } as unknown as DeliveryItem).map(
        (attempt) => attempt?.number,
      )
    const ended = (number: number) => ({ number, outcome: 'succeeded' })
    expect(told([{ number: 1 }, ended(2)])).toEqual([2])
    expect(told([ended(1), ended(2)])).toEqual([1])
    const kept = (last: number) => Array.from({ length: 100 }, (_, index) => ended(last - index))
    expect(told(kept(100).toReversed())).toHaveLength(98)
    expect(told(kept(101).toReversed())).toEqual([101])
  })

  test('a failed replay does not show the state of its delivery, nor a retry its next attempt', () => {
    const attempt = (number: number, outcome: string, source: string) => ({
      number,
      source,
      outcome,
      at: '2026-11-20T10:00:02.000Z',
      status: outcome === 'failed' ? 500 : 200,
    })
    const rendered = (state: string, attempts: object[], changes: object = {}) => {
      const about = { scope: 'repo', action: 'update', repo: 'acme/corpus' }
      const delivery = { ...about, state, attempts, ...changes } as unknown as DeliveryItem
      return delivery.attempts.map((one) =>
        deliveryRow(delivery, one).join('  ').trimEnd().replaceAll(/ +/g, ' '),
      )
    }
    const head = (word: string) => `10:00:02 ${word} repo update acme/corpus`
    const through = attempt(1, 'succeeded', 'auto')
    const replay = attempt(2, 'failed', 'replay')
    expect(rendered('succeeded', [through, replay])).toEqual([
      `${head('succeeded')} 200`,
      `${head('failed')} 500`,
    ])
    const nextRetryAt = '2026-11-20T10:00:12.000Z'
    const waits = [attempt(1, 'failed', 'auto'), replay]
    expect(rendered('waiting', waits, { nextRetryAt })).toEqual([
      `${head('failing')} 500, next attempt 10:00:12`,
      `${head('failed')} 500`,
    ])
    const recorded = { number: 1, source: 'auto', at: through.at, outcome: 'succeeded', jobId: 'j' }
    expect(rendered('succeeded', [recorded])).toEqual([`${head('succeeded')} job j`])
    const explained = { recorded: true, explanation: 'Recorded, not executed.' }
    expect(rendered('succeeded', [recorded], explained)).toEqual([
      `${head('not run')} job j: Recorded, not executed.`,
    ])
  })

  test('a skipped delivery shows the reason', () => {
    const skipped = {
      state: 'skipped',
      scope: 'repo',
      action: 'create',
      repo: 'acme/corpus',
      attempts: [],
      createdAt: '2026-11-20T10:00:00.000Z',
      reason: 'quota-exceeded',
    } as unknown as DeliveryItem
    expect(deliveryRow(skipped).join('  ')).toMatch(/^10:00:00 {2}skipped .* quota-exceeded$/)
  })

  test.each([
    ['8000', 'http://localhost:8000'],
    [':8000/x', 'http://localhost:8000/x'],
    ['8000/x?y=1', 'http://localhost:8000/x?y=1'],
    ['localhost:8000/x', 'http://localhost:8000/x'],
    ['127.0.0.1:8000', 'http://127.0.0.1:8000'],
    ['https://localhost:8443/x', 'https://localhost:8443/x'],
  ])('--forward-to %s is %s', (given, address) => {
    expect(forwardAddress(given)).toBe(address)
  })

  test.each(['', 'ftp://localhost/x', 'local host', '99999'])(
    '--forward-to "%s" is refused',
    (given) => {
      expect(() => forwardAddress(given)).toThrow('--forward-to must be a port')
    },
  )

  test('user errors exit with 2, failures with 1', () => {
    expect(
      describeFailure(new ConfigError('options', [{ path: '--port', message: 'no' }])),
    ).toEqual({
      message: 'options: 1 mistake\n  --port: no',
      exitCode: 2,
    })
    expect(describeFailure(new CommandError('no')).exitCode).toBe(1)
    expect(describeFailure(new Error('boom')).exitCode).toBe(1)
  })
})
