import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Caller, commandLine, inProcess } from '../../../../server/app/config/callers.ts'
import { ConfigError } from '../../../../server/core/config-error.ts'
import type { SandboxOptions } from '../../../../server/contract/options-types.ts'
import { resolveOptions } from '../../../../server/app/config/resolve.ts'

const users = [{ username: 'alice' }, { username: 'bob' }]

async function issuesOf(promise: Promise<unknown>): Promise<string[]> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ConfigError)) throw new Error('there was no ConfigError', { cause: error })
  return error.issues.map(({ path, message }) => `${path}: ${message}`)
}

describe('what goes without saying', () => {
  test('in a program: a free port, nothing on disk, silent', async () => {
    expect(await resolveOptions({})).toMatchObject({
      port: 0,
      hosts: ['127.0.0.1', '::1'],
      hostsAreDefault: true,
      https: false,
      logLevel: 'silent',
      fixturesSource: 'the default fixtures',
      settings: {
        deliveryProfile: 'hub',
        rateLimits: false,
        strict: false,
        allowAddressHosts: false,
        lifetimes: {
          codeMs: 60_000,
          accessTokenMs: 28_800_000,
          sessionMs: 2_592_000_000,
          refreshTokenMs: 7_776_000_000,
        },
        device: { verificationUriComplete: false },
        caps: { requests: 1000, deliveries: 20_000, deliveryBytes: 67_108_864 },
      },
    })
    expect(await resolveOptions({})).not.toHaveProperty('dataDirectory')
  })

  test('on the command line: the usual port and the folder of the user', async () => {
    const resolved = await resolveOptions({ fixtures: 'default' }, {}, commandLine)
    expect(resolved).toMatchObject({ port: 7420, logLevel: 'warn' })
    expect(resolved.dataDirectory).toMatch(/hub-sandbox$/)
  })

  test('is frozen', async () => {
    const resolved = await resolveOptions({})
    expect(Object.isFrozen(resolved)).toBe(true)
    expect(Object.isFrozen(resolved.settings.lifetimes)).toBe(true)
    expect(Object.isFrozen(resolved.fixtures.users[0]?.tokens)).toBe(true)
  })
})

describe('precedence', () => {
  const config = { port: 1001, deliveryProfile: 'ci', rateLimits: true } as const

  test('the file counts where nothing else is said', async () => {
    expect(await resolveOptions({ fixtures: { users, config } })).toMatchObject({
      port: 1001,
      settings: { deliveryProfile: 'ci', rateLimits: true },
    })
  })

  test('the environment goes before the file', async () => {
    const env = { HUB_SANDBOX_PORT: '1002', HUB_SANDBOX_RATE_LIMITS: 'false' }
    expect(await resolveOptions({ fixtures: { users, config } }, env)).toMatchObject({
      port: 1002,
      settings: { deliveryProfile: 'ci', rateLimits: false },
    })
  })

  test('an option goes before the environment', async () => {
    const env = { HUB_SANDBOX_PORT: '1002', HUB_SANDBOX_DELIVERY_PROFILE: 'hub' }
    expect(await resolveOptions({ port: 1003, fixtures: { users, config } }, env)).toMatchObject({
      port: 1003,
      settings: { deliveryProfile: 'hub' },
    })
  })

  test('an empty variable is not set', async () => {
    const env = { HUB_SANDBOX_PORT: '', HUB_SANDBOX_EPHEMERAL: '', HUB_SANDBOX_PROT: '' }
    expect(await resolveOptions({ fixtures: { users, config } }, env)).toMatchObject({ port: 1001 })
  })

  test('a mistyped variable is a mistake, and a variable of the user is none', async () => {
    await expect(resolveOptions({}, { HUB_SANDBOX_PROT: '7421' })).rejects.toThrow(
      'HUB_SANDBOX_PROT: is not a known variable (did you mean HUB_SANDBOX_PORT?)',
    )
    const env = { HUB_SANDBOX_URL: 'http://localhost:1', HUB_SANDBOX_IMAGE_TAG: 'v1' }
    expect(await resolveOptions({}, env)).toBeDefined()
  })

  test('a folder that is named later yields to memory that is named first', async () => {
    const env = { HUB_SANDBOX_DATA: '/tmp/x' }
    const inMemory = await resolveOptions({ ephemeral: true }, env, commandLine)
    expect(inMemory).not.toHaveProperty('dataDirectory')
    const onDisk = await resolveOptions({ data: '/tmp/x' }, { HUB_SANDBOX_EPHEMERAL: '1' })
    expect(onDisk.dataDirectory).toBe('/tmp/x')
  })
})

describe('reading values', () => {
  test('lists with commas, pairs and texts from the environment', async () => {
    const env = {
      HUB_SANDBOX_ALLOW_HOST: 'hub.test, other.test',
      HUB_SANDBOX_ALLOW_ORIGIN: 'https://app.test',
      HUB_SANDBOX_RUN_JOBS: 'python:3.12=python run.py a,b,alice/space=node x.js',
      HUB_SANDBOX_RUN_JOBS_ENV: 'GREETING, EXIT',
      HUB_SANDBOX_AUTO_APPROVE: 'BOB',
      HUB_SANDBOX_SEED: '7',
    }
    expect((await resolveOptions({ fixtures: { users } }, env)).settings).toMatchObject({
      allowHosts: ['hub.test', 'other.test'],
      allowOrigins: ['https://app.test'],
      runJobs: new Map([
        ['python:3.12', 'python run.py a,b'],
        ['alice/space', 'node x.js'],
      ]),
      runJobsEnv: ['GREETING', 'EXIT'],
      autoApprove: 'BOB',
      seed: 7,
    })
  })

  test('auto-approval without a name is by the first user', async () => {
    const { settings } = await resolveOptions({ autoApprove: true, fixtures: { users } })
    expect(settings.autoApprove).toBe(true)
  })

  test('who auto-approves is not looked for in the fixtures where a state may be kept', async () => {
    const options = { fixtures: { users }, data: 'st', autoApprove: 'zoe' }
    expect(await resolveOptions(options)).toMatchObject({
      settings: { autoApprove: 'zoe' },
      autoApproveName: 'autoApprove',
    })
    await expect(resolveOptions({ ...options, reset: true })).rejects.toThrow(/unknown user "zoe"/)
  })

  test('a base URL loses its trailing slash', async () => {
    const options = { baseUrl: 'https://hub.localhost/', backChannelUrl: 'http://Hub:80/' }
    expect(await resolveOptions(options)).toMatchObject({
      baseUrl: 'https://hub.localhost',
      backChannelUrl: 'http://hub',
    })
  })
})

describe('the control token', () => {
  const tokenOf = async (options: SandboxOptions) =>
    (await resolveOptions(options)).settings.controlToken

  test.each([
    [['127.0.0.1', '::1'], 'localhost'],
    [['0.0.0.0'], 'localhost'],
    [['192.168.0.5', '127.0.0.1'], 'localhost'],
    [['127.0.0.2'], '127.0.0.2'],
    // Loopback, but not where localhost leads.
    [['127.0.0.2', '127.0.0.3'], '127.0.0.2'],
  ])('is told by a name that leads to it, listening on %j', async (host, urlHost) => {
    expect(await resolveOptions({ host })).toMatchObject({ urlHost })
  })

  test('is not asked for on loopback', async () => {
    expect(await tokenOf({})).toBeUndefined()
    expect(await tokenOf({ host: ['127.0.0.1', '::1'] })).toBeUndefined()
    expect(await tokenOf({ baseUrl: 'http://hub.localhost:8080' })).toBeUndefined()
    expect(await tokenOf({ allowHost: 'hub.localhost:8080' })).toBeUndefined()
    expect(await tokenOf({ backChannelUrl: 'http://hub.localhost:8080' })).toBeUndefined()
  })

  test.each<SandboxOptions>([
    { host: '0.0.0.0' },
    { host: '127.0.0.1,192.168.0.5' },
    { baseUrl: 'https://hub.example.test' },
    { allowHost: 'hub.example.test' },
    { backChannelUrl: 'http://hub:7420' },
    { host: '0.0.0.0', controlToken: false },
  ])('is always asked for with %j', async (options) => {
    expect(await tokenOf(options)).toMatch(/^[\w-]{32}$/)
  })

  test('is random, or the one that was given', async () => {
    expect(await tokenOf({ controlToken: true })).not.toBe(await tokenOf({ controlToken: true }))
    expect(await tokenOf({ controlToken: 'my-token-1' })).toBe('my-token-1')
  })
})

describe('mistakes', () => {
  test('of options, environment and fixtures are told together, each by its own name', async () => {
    const options = { prot: 1, logLevel: 'loud', fixtures: { usres: [] } } as object
    const env = { HUB_SANDBOX_SEED: 'x' }
    expect(await issuesOf(resolveOptions(options, env, commandLine))).toEqual([
      '--prot: is not a known option (did you mean "port"?)',
      expect.stringMatching(/^--log-level: must be one of silent, .*, not "loud"$/),
      expect.stringMatching(/^HUB_SANDBOX_SEED: must be a whole number, not "x"$/),
      'usres: is an unknown key (did you mean "users"?)',
    ])
  })

  test.each<[SandboxOptions, RegExp]>([
    [{ port: 70_000 }, /^port: must be a whole number from 0 to 65535, not 70000$/],
    [{ port: Number(undefined) }, /^port: must be a whole number from 0 to 65535, not NaN$/],
    [{ baseUrl: 'localhost:80' }, /^baseUrl: must be like/],
    [{ baseUrl: 'http://localhost/path' }, /^baseUrl: must be like/],
    [{ backChannelUrl: 'hub:7420' }, /^backChannelUrl: must be like .*, not hub:7420$/],
    [{ backChannelUrl: 'http://user@hub:7420' }, /^backChannelUrl: must be like/],
    [{ backChannelUrl: 'http://hub:7420/?q' }, /^backChannelUrl: must be like/],
    [{ allowHost: 'http://x' }, /^allowHost: must be a name as in a Host header/],
    [{ allowOrigin: '*' }, /^allowOrigin: must be like/],
    [{ allowOrigin: 'https://a.test/path' }, /^allowOrigin: must be like/],
    [{ runJobs: 'python' }, /^runJobs: must be IMAGE=COMMAND/],
    [{ runJobs: { x: 'python "a' } }, /^runJobs: of x: the quote " is not closed/],
    [{ runJobsEnv: 'A,B-C' }, /^runJobsEnv: must be comma-separated names.*, not B-C$/],
    [{ runJobsEnv: 'JOB_ID' }, /^runJobsEnv: cannot contain JOB_ID/],
    [{ runJobsEnv: 'webhook_secret' }, /^runJobsEnv: cannot contain webhook_secret/],
    [{ controlToken: 'short' }, /^controlToken: must have at least 8/],
    [{ autoApprove: 'bbo' }, /^autoApprove: unknown user "bbo" \(did you mean "bob"\?\)$/],
    [{ autoApprove: true, fixtures: {} }, /^autoApprove: requires a user/],
    [{ data: 'x', ephemeral: true }, /^data: cannot be combined with ephemeral$/],
  ])('%j', async (options, issue) => {
    expect(await issuesOf(resolveOptions({ fixtures: { users }, ...options }))).toEqual([
      expect.stringMatching(issue),
    ])
  })
})

describe('fixtures in code', () => {
  test.each([
    [new URL('file:///hub.json'), 'a URL: give its path, by fileURLToPath(url)'],
    [Promise.resolve({ users }), 'a Promise: await it first'],
    [new Map([['users', users]]), 'a Map: give Object.fromEntries(map)'],
    [{ [Symbol.toStringTag]: 'Module', default: { users } }, 'a Module: give its default export'],
    [new Date(0), 'a Date'],
  ])('are not taken from %s, which looks empty', async (fixtures, kind) => {
    const options = { fixtures } as unknown as SandboxOptions
    const issue = `: must be the path of a file or an object, not ${kind}`
    expect(await issuesOf(resolveOptions(options))).toEqual([issue])
  })

  test('may be an object of any class', async () => {
    class Fixtures {
      users = users
    }
    const { fixtures } = await resolveOptions({ fixtures: new Fixtures() })
    expect(fixtures.users).toHaveLength(2)
  })
})

describe('fixtures files', () => {
  let folder: string
  let caller: Caller

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hub-sandbox-test-'))
    caller = { ...commandLine, folder: () => folder, dataFolder: () => join(folder, 'data') }
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)

  test('the one of the folder is taken on the command line, and only there', async () => {
    write('hub-sandbox.yaml', 'users:\n  - username: zoe\n')
    const resolved = await resolveOptions({}, {}, caller)
    expect(resolved).toMatchObject({ fixturesSource: 'hub-sandbox.yaml' })
    expect(resolved.fixtures.users.map(({ username }) => username)).toEqual(['zoe'])
    const other = await resolveOptions({}, {}, { ...inProcess, folder: () => folder })
    expect(other.fixturesSource).toBe('the default fixtures')
  })

  test('JSON goes before YAML, and what is named before both', async () => {
    write('hub-sandbox.yaml', '{}')
    write('hub-sandbox.json', '{}')
    write('other.hubsandbox', '\uFEFF{}')
    expect((await resolveOptions({}, {}, caller)).fixturesSource).toBe('hub-sandbox.json')
    const named = await resolveOptions({ fixtures: 'other.hubsandbox' }, {}, caller)
    expect(named.fixturesSource).toBe('other.hubsandbox')
  })

  test('a file of the folder goes before bundled fixtures of the same name', async () => {
    const bundled = await resolveOptions({ fixtures: 'empty' }, {}, caller)
    expect(bundled.fixturesSource).toBe('the bundled fixtures "empty"')
  })

  test('the hash follows the content', async () => {
    write('a.json', '{}')
    write('b.json', '{ }')
    const hash = async (fixtures: string) =>
      (await resolveOptions({ fixtures }, {}, caller)).fixturesHash
    expect(await hash('a.json')).toBe(await hash('a.json'))
    expect(await hash('a.json')).not.toBe(await hash('b.json'))
  })

  test.each([
    ['a.json', '{', /not valid JSON/],
    ['a.txt', '{}', /must end in \.json/],
    ['a.yaml', 'a: !!js/function x', /not usable YAML/],
    ['a.yaml', 'a: !x 1', /not usable YAML/],
    ['a.yaml', 'a: 1\na: 2', /not usable YAML.*unique/s],
    ['a.yaml', bomb(), /not usable YAML.*alias/s],
  ])('%s with %j is refused', async (name, text, message) => {
    write(name, text)
    const [issue] = await issuesOf(resolveOptions({ fixtures: name }, {}, caller))
    expect(issue).toMatch(message)
  })

  test.runIf(existsSync('/dev/zero'))('one that never ends is refused unread', async () => {
    symlinkSync('/dev/zero', join(folder, 'endless.json'))
    const [issue] = await issuesOf(resolveOptions({ fixtures: 'endless.json' }, {}, caller))
    expect(issue).toMatch(/is a pipe or device, not a file$/)
  })

  test('one that cannot be read is refused with the reason', async () => {
    write('plain.json', '{}')
    const [issue] = await issuesOf(resolveOptions({ fixtures: 'plain.json/x.json' }, {}, caller))
    expect(issue).toMatch(/cannot be read: ENOTDIR/)
  })

  test('one that is not there is named, with what there is', async () => {
    const [issue] = await issuesOf(resolveOptions({ fixtures: 'nope.json' }, {}, caller))
    expect(issue).toMatch(/no such file.*default, empty, webhooks/)
  })
})

/** Each level doubles the one before. */
function bomb(): string {
  const levels = Array.from({ length: 20 }, (_, level) =>
    level === 0 ? 'a0: &a0 [x]' : `a${level}: &a${level} [*a${level - 1}, *a${level - 1}]`,
  )
  return levels.join('\n')
}

describe('lan', () => {
  const networked: Caller = { ...inProcess, networkAddress: () => '192.168.1.20' }

  test('listens on the network address and on loopback, with the control token', async () => {
    const resolved = await resolveOptions({ lan: true }, {}, networked)
    expect(resolved).toMatchObject({
      hosts: ['192.168.1.20', '127.0.0.1'],
      hostsAreDefault: false,
      urlHost: '192.168.1.20',
      isLan: true,
      settings: { allowAddressHosts: true },
    })
    expect(resolved.settings.controlToken).toMatch(/^.{20,}$/)
    const given = await resolveOptions({ lan: true, controlToken: 'open-sesame' }, {}, networked)
    expect(given.settings.controlToken).toBe('open-sesame')
  })

  test('is an environment variable, but no key of a fixtures file', async () => {
    const env = { HUB_SANDBOX_LAN: '1' }
    expect(await resolveOptions({}, env, networked)).toMatchObject({ isLan: true })
    const fixtures = { users, config: { lan: true } }
    expect(await issuesOf(resolveOptions({ fixtures: fixtures as never }, {}, networked))).toEqual([
      expect.stringMatching(/^(fixtures\.)?config\.lan: /),
    ])
  })

  test('an IPv6 address stands in brackets in the URL', async () => {
    const caller = { ...networked, networkAddress: () => 'fd00::2' }
    expect(await resolveOptions({ lan: true }, {}, caller)).toMatchObject({ urlHost: '[fd00::2]' })
  })

  test('is refused with host, and without a network', async () => {
    const both = resolveOptions({ lan: true, host: ['127.0.0.1'] }, {}, networked)
    expect(await issuesOf(both)).toEqual([
      'lan: cannot be combined with host, which names the addresses itself',
    ])
    const offline = { ...networked, networkAddress: () => undefined }
    expect(await issuesOf(resolveOptions({ lan: true }, {}, offline))).toEqual([
      'lan: needs a network, and this machine has no network address',
    ])
  })
})
