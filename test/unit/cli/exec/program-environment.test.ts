import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  programEnvironment,
  withoutRealCredentials,
} from '../../../../server/cli/exec/program-environment.ts'

const at = (hosts: readonly string[], platform: NodeJS.Platform = 'linux') => ({
  modules: [],
  hosts,
  platform,
})

describe('the environment of a program', () => {
  test('later variables override earlier ones, and undefined removes one', () => {
    const layers = [{ A: '2', B: '2', C: undefined }, { B: '3' }]
    expect(programEnvironment({ A: '1', C: '1', D: '1' }, layers, at([]))).toEqual({
      A: '2',
      B: '3',
      D: '1',
    })
  })

  test('names are case-insensitive on Windows', () => {
    const inherited = { Path: 'x', node_options: '--a', Hf_Token: 'mine' }
    const layers = [withoutRealCredentials(inherited, 'f', 'win32'), { PATH: 'y' }]
    const modules = ['file:///m.mjs']
    expect(
      programEnvironment(inherited, layers, { modules, hosts: [], platform: 'win32' }),
    ).toEqual({
      PATH: 'y',
      NODE_OPTIONS: '--a --import=file:///m.mjs',
      HF_TOKEN_PATH: join('f', 'token'),
    })
  })

  test('has no credential of the real hub, and keeps similar names', () => {
    const inherited = {
      HF_TOKEN: '1',
      HUGGING_FACE_HUB_TOKEN: '2',
      HF_OIDC_ID_TOKEN: '3',
      HF_OIDC_RESOURCE: '4',
      HF_TOKEN_PATH: '/home/me/token',
      HF_HOME: '/home/me',
      MY_HF_TOKEN: '5',
      hf_token: '6',
    }
    const layers = [withoutRealCredentials(inherited, '/private', 'linux')]
    expect(programEnvironment(inherited, layers, at([]))).toEqual({
      HF_HOME: '/home/me',
      HF_TOKEN_PATH: join('/private', 'token'),
      MY_HF_TOKEN: '5',
      hf_token: '6',
    })
  })

  test.each([
    // Without a proxy nothing has to go around it.
    [{ NO_PROXY: 'a' }, ['localhost'], 'a', undefined],
    [{ http_proxy: 'p' }, ['localhost'], 'localhost,127.0.0.1,::1', 'localhost,127.0.0.1,::1'],
    [{ HTTPS_PROXY: 'p', NO_PROXY: 'a, b' }, ['hub.test'], 'a,b,hub.test', 'a,b,hub.test'],
    [
      { ALL_PROXY: 'p', no_proxy: 'a', NO_PROXY: 'b' },
      ['hub.test'],
      'b,a,hub.test',
      'b,a,hub.test',
    ],
    [{ ALL_PROXY: 'p', NO_PROXY: '*' }, ['localhost'], '*', undefined],
  ])('%j keeps %j off the proxy', (inherited, hosts, upper, lower) => {
    const made = programEnvironment(inherited, [], at(hosts))
    expect([made['NO_PROXY'], made['no_proxy']]).toEqual([upper, lower])
  })
})
