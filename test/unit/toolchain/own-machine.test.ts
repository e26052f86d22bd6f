import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { userDataFolder } from '../../../server/app/config/data-folder.ts'
import { usualPort } from '../../../server/contract/usual-address.ts'
import { hubCacheFolder } from '../../../server/app/hub-caches.ts'
import { enterOwnHome } from '../../helpers/own-machine.ts'
import { root } from '../../helpers/packed.ts'
import { bareEnvironment } from '../../helpers/programs.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'
import { usualPort as guardedPort } from '../../helpers/usual-port.mjs'

describe('the home of a test', () => {
  test('is a temporary one, also in a program that gets few variables', () => {
    const homes = process.env['HUB_SANDBOX_TEST_HOMES'] ?? 'unset'
    expect(homedir()).toMatch(homes)
    expect(homedir()).not.toMatch(userInfo().homedir)
    expect(userDataFolder()).toMatch(homes)
    expect(hubCacheFolder('http://localhost:1')).toMatch(homes)
    const args = ['-p', 'os.homedir()']
    const { stdout } = spawnSync(process.execPath, args, {
      env: bareEnvironment(),
      encoding: 'utf8',
    })
    expect(stdout.trim()).toBe(homedir())
  })

  test('has nothing of what the user has set up', () => {
    const homes = temporaryDirectory()
    const kept = { PATH: '/bin', HUB_SANDBOX_WHOLE_AUDITS: '1', npm_config_cache: '/npm' }
    const env: NodeJS.ProcessEnv = {
      ...kept,
      HUB_SANDBOX_TEST_HOMES: homes,
      HOME: '/home/ada',
      XDG_DATA_HOME: '/home/ada/data',
      XDG_CACHE_HOME: '/home/ada/caches',
      HUB_SANDBOX_URL: 'http://localhost:7420',
      HUB_SANDBOX_DATA: '/home/ada/sandbox',
      HF_TOKEN: 'hf_real',
      OPENID_PROVIDER_URL: 'https://huggingface.co',
    }
    enterOwnHome(env, 'linux')
    const home = join(homes, String(process.pid))
    expect(env).toEqual({ ...kept, HUB_SANDBOX_TEST_HOMES: homes, HOME: home })
    expect(existsSync(home)).toBe(true)
  })

  test('is that of every program: none gets just a PATH, with which it would find the user’s', () => {
    const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    const found = files
      .filter((file) =>
        /^(unit|contract|compat|e2e|packed|recipes|helpers)\b.*\.(ts|mjs)$/.test(file),
      )
      .filter((file) => {
        const source = readFileSync(join(root, 'test', file), 'utf8')
        return /\benv(:|ironment\b.*=) \{\s*PATH: process\.env/.test(source)
      })
    expect(found).toEqual([])
  })
})

describe('the usual port', () => {
  test('is the one that is guarded', () => {
    expect(guardedPort).toBe(usualPort)
  })

  test('has no listener for a test or a program of it, whatever runs there', async () => {
    const refused = { cause: { code: 'ECONNREFUSED' } }
    await expect(fetch(`http://localhost:${usualPort}/`)).rejects.toMatchObject(refused)
    const code = `fetch('http://127.0.0.1:${usualPort}').catch(({ cause }) => console.log(cause.code))`
    const args = ['-e', code]
    const { stdout } = spawnSync(process.execPath, args, {
      env: bareEnvironment(),
      encoding: 'utf8',
    })
    expect(stdout).toBe('ECONNREFUSED\n')
  })

  test('is taken by no test', () => {
    expect(() => createServer().listen(usualPort)).toThrow('port 7420, which belongs to the user')
    expect(() => createServer().listen({ port: usualPort })).toThrow('use port 0')
  })
})
