import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { Sandbox } from '../../server/index.ts'
import { auditOfDevice, passesAudit } from '../helpers/recipes/audits.ts'
import { pythonPackages } from '../helpers/recipes/needs.ts'
import { recipe } from '../helpers/recipes/recipe.ts'

/** What its user sees, and what is to be typed in the browser. */
async function waitingCode(sandbox: Sandbox): Promise<string> {
  return vi.waitFor(
    async () => {
      const { items } = await sandbox.control<{ items: { userCode: string }[] }>('GET', 'device')
      const [device] = items
      if (device === undefined) throw new Error('no device asks')
      return device.userCode
    },
    { timeout: 60_000, interval: 200 },
  )
}

recipe(
  {
    folder: 'huggingface-hub-login',
    needs: [pythonPackages],
  },
  (stage) => {
    passesAudit(stage, () => auditOfDevice(stage, ['python', 'login.py']), {
      app: 'Hub command line',
    })

    test('logs in once its user has allowed it, and keeps no token on the machine', async () => {
      const kept = join(homedir(), '.cache/huggingface/token')
      const wasThere = existsSync(kept)
      const running = stage.run(['python', 'login.py'])
      const code = await waitingCode(stage.sandbox)
      await stage.sandbox.approveDevice(code, { user: 'bob' })
      const said = await running
      expect(said).toContain(`${stage.sandbox.url}/oauth/device`)
      expect(said).toContain(code)
      expect(said).toContain('Signed in as bob')
      expect(existsSync(kept)).toBe(wasThere)
    })

    test('says that its user refused', async () => {
      const running = stage.run(['python', 'login.py'])
      const code = await waitingCode(stage.sandbox)
      await stage.sandbox.approveDevice(code, { user: 'bob', decision: 'deny' })
      await expect(running).rejects.toThrow(/Not signed in: .*denied/i)
    })
  },
)
