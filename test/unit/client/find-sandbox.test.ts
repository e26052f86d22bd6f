import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { projectDataFolder } from '../../../server/app/config/project-folder.ts'
import { ConnectError } from '../../../server/client/connect-error.ts'
import { StateError } from '../../../server/store/errors.ts'
import { findSandbox, type WhichSandbox } from '../../../server/client/find-sandbox.ts'

const folder = mkdtempSync(join(tmpdir(), 'hub-sandbox-find-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const locked = join(folder, 'lock.json')
const lock = {
  pid: process.pid,
  host: hostname(),
  startedAt: '2026-01-01T00:00:00Z',
  url: 'https://hub.example',
  localUrl: 'http://localhost:4000',
  controlToken: 'of-the-lock',
}
writeFileSync(locked, JSON.stringify(lock))

const find = (which: WhichSandbox, env: Record<string, string> = {}) =>
  findSandbox(which, '--url', { HUB_SANDBOX_DATA: folder, ...env })
const empty = { HUB_SANDBOX_DATA: join(folder, 'nothing') }

describe('finding a sandbox', () => {
  test('goes by the address, then the variable, then the lock, then the usual port', () => {
    const named = { HUB_SANDBOX_URL: 'http://localhost:2/' }
    expect(find({ url: 'http://localhost:1/' }, named).url).toBe('http://localhost:1')
    expect(find({}, named).url).toBe('http://localhost:2')
    expect(find({}).url).toBe('http://localhost:4000')
    expect(find({ data: folder }, empty).url).toBe('http://localhost:4000')
    expect(find({}, empty).url).toBe('http://localhost:7420')
    expect(find({}, { HUB_SANDBOX_URL: '' }).url).toBe('http://localhost:4000')
  })

  test('in a folder that is named is there or nowhere, whatever a variable says', () => {
    const named = { HUB_SANDBOX_URL: 'http://localhost:2' }
    expect(find({ data: folder }, named).url).toBe('http://localhost:4000')
    expect(find({ url: 'http://localhost:1', data: folder }, named).url).toBe('http://localhost:1')
    const nothing = join(folder, 'nothing')
    expect(() => find({ data: nothing })).toThrow(
      expect.objectContaining({
        obstacle: 'silent',
        message: expect.stringMatching(
          `^No sandbox is running with the data folder ${nothing}\\.\\n.* start --data ${nothing}"\\.$`,
        ) as string,
      }),
    )
  })

  test('reads past a folder that it may not read, unless that is the one that is meant', () => {
    const closed = join(folder, 'closed')
    mkdirSync(join(closed, 'lock.json'), { recursive: true })
    const env = { HUB_SANDBOX_DATA: closed }
    const named = { ...env, HUB_SANDBOX_URL: 'http://localhost:2' }
    expect(find({ url: 'http://localhost:1' }, env).url).toBe('http://localhost:1')
    expect(find({}, named).url).toBe('http://localhost:2')
    expect(() => find({}, env)).toThrow(StateError)
    expect(() => find({ data: closed }, named)).toThrow(StateError)
    const home = join(folder, 'home')
    mkdirSync(join(home, 'hub-sandbox/lock.json'), { recursive: true })
    vi.stubEnv('XDG_DATA_HOME', home)
    expect(find({}, { HUB_SANDBOX_DATA: '' }).url).toBe('http://localhost:7420')
  })

  test('is that of the own project, then of the default fixtures, or else the one started last', () => {
    const home = join(folder, 'several')
    vi.stubEnv('XDG_DATA_HOME', home)
    const { localUrl: _, ...details } = lock
    const runs = (data: string, url: string, startedAt: string, pid = process.pid) => {
      mkdirSync(data, { recursive: true })
      writeFileSync(join(data, 'lock.json'), JSON.stringify({ ...details, pid, startedAt, url }))
    }
    const own = join(folder, 'own.json')
    writeFileSync(own, '{}')
    const env = { HUB_SANDBOX_DATA: '', HUB_SANDBOX_FIXTURES: own }
    const user = join(home, 'hub-sandbox')
    runs(join(user, 'projects', 'old-1'), 'http://localhost:1', '2026-01-01T00:00:00Z')
    runs(join(user, 'projects', 'new-1'), 'http://localhost:2', '2026-02-01T00:00:00Z')
    runs(join(user, 'projects', 'mid-1'), 'http://localhost:3', '2026-01-02T00:00:00Z')
    // The process is gone.
    runs(join(user, 'projects', 'dead-1'), 'http://localhost:4', '2026-03-01T00:00:00Z', 2 ** 22)
    expect(find({}, { HUB_SANDBOX_DATA: '' }).url).toBe('http://localhost:2')
    // Another project's would be the wrong one.
    expect(find({}, env).url).toBe('http://localhost:7420')
    runs(user, 'http://localhost:5', '2025-01-01T00:00:00Z')
    expect(find({}, env).url).toBe('http://localhost:5')
    runs(projectDataFolder(own), 'http://localhost:6', '2025-01-01T00:00:00Z')
    expect(find({}, env)).toEqual({ url: 'http://localhost:6', controlToken: 'of-the-lock' })
    vi.unstubAllEnvs()
  })

  test('names a certificate so that it is found from any folder', () => {
    const found = find({ url: 'https://localhost:1', data: relative(process.cwd(), folder) })
    expect(found.certificatePath).toBe(join(folder, 'certificate.pem'))
  })

  test('knows the sandbox of the lock by the name that others have for it', () => {
    expect(find({ url: 'https://hub.example/' })).toEqual({
      url: 'http://localhost:4000',
      controlToken: 'of-the-lock',
    })
  })

  test.each([
    'http://localhost:4001',
    'http://127.0.0.1:4000',
    'http://evil.example:4000',
    'http://localhost:4000@evil.example',
    'https://hub.example.evil.example',
    'https://hub.example/path',
  ])('keeps the control token of the lock from %s', (url) => {
    expect(find({ url }).controlToken).toBeUndefined()
    expect(find({}, { HUB_SANDBOX_URL: url }).controlToken).toBeUndefined()
  })

  test('takes the control token that is given, and that of the environment for its own address', () => {
    const env = { HUB_SANDBOX_CONTROL_TOKEN: 'of-the-environment' }
    const named = { ...env, HUB_SANDBOX_URL: 'http://localhost:2' }
    expect(find({ controlToken: 'given' }, env).controlToken).toBe('given')
    expect(find({}, env).controlToken).toBe('of-the-environment')
    expect(find({ url: 'http://localhost:1' }, env).controlToken).toBe('of-the-environment')
    expect(find({}, named).controlToken).toBe('of-the-environment')
    expect(find({ url: 'http://localhost:2/' }, named).controlToken).toBe('of-the-environment')
    expect(find({ url: 'http://localhost:1' }, named).controlToken).toBeUndefined()
    expect(find({ url: 'http://localhost:4000' }, named).controlToken).toBe('of-the-lock')
  })

  test('looks for a certificate under HTTPS alone', () => {
    expect(find({ url: 'https://localhost:1' }).certificatePath).toBe(
      join(folder, 'certificate.pem'),
    )
    expect(find({ url: 'http://localhost:1' })).toEqual({ url: 'http://localhost:1' })
  })

  test.each(['localhost:7420', 'nonsense', 'ftp://localhost', 'javascript:alert(1)'])(
    'refuses %s, and names who gave it',
    (url) => {
      const said = (from: () => unknown) => {
        try {
          return from()
        } catch (error) {
          return error
        }
      }
      const message = `must be a URL such as http://localhost:7420, not ${url}`
      expect(said(() => find({ url }))).toEqual(new ConnectError('address', `--url ${message}`))
      expect(said(() => find({}, { HUB_SANDBOX_URL: url }))).toEqual(
        new ConnectError('address', `HUB_SANDBOX_URL ${message}`),
      )
    },
  )
})
