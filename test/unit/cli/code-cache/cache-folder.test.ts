import { expect, test } from 'vitest'
import { placeOfCache } from '../../../../server/cli/code-cache/cache-folder.ts'
import type { Surroundings } from '../../../../server/core/user-caches.ts'

const linux: Surroundings = { platform: 'linux', env: {}, home: '/home/alice' }

test.each<[string, Partial<Surroundings>, string, string]>([
  ['Linux', {}, '/home/alice/.cache', 'hub-sandbox'],
  ['XDG_CACHE_HOME', { env: { XDG_CACHE_HOME: '/caches' } }, '/caches', 'hub-sandbox'],
  // XDG Base Directory Specification: what is relative is to be ignored.
  ['a relative one', { env: { XDG_CACHE_HOME: 'caches' } }, '/home/alice/.cache', 'hub-sandbox'],
  ['macOS', { platform: 'darwin' }, '/home/alice/Library/Caches', 'hub-sandbox'],
  // The folder hub-sandbox of that place is the state.
  [
    'Windows',
    { platform: 'win32', env: { LOCALAPPDATA: '/local' } },
    '/local',
    'hub-sandbox-cache',
  ],
])('the user’s cache folder: %s', (_name, given, base, own) => {
  expect(placeOfCache({ ...linux, ...given })).toEqual({ base, below: [own, 'code'] })
})

test.each([
  [{ HUB_SANDBOX_NO_CODE_CACHE: '1' }, 'HUB_SANDBOX_NO_CODE_CACHE is set'],
  [{ NODE_DISABLE_COMPILE_CACHE: '1' }, 'NODE_DISABLE_COMPILE_CACHE is set'],
  [{ NODE_V8_COVERAGE: 'folder' }, 'coverage is measured'],
])('no cache folder if %j', (env, why) => {
  expect(placeOfCache({ ...linux, env })).toBe(why)
})

test('no cache folder without a home, and the default if the variables are empty', () => {
  expect(placeOfCache({ ...linux, home: undefined })).toBe('this user has no home folder')
  const empty = { HUB_SANDBOX_NO_CODE_CACHE: '', XDG_CACHE_HOME: '' }
  expect(placeOfCache({ ...linux, env: empty })).toMatchObject({ base: '/home/alice/.cache' })
})
