import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { Overview } from '../../server/contract/control-health.ts'
import { commandLineWorld } from '../helpers/command-line.ts'
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
