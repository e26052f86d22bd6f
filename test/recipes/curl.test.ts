import { expect, test, vi } from 'vitest'
import { auditOfDevice, passesAudit } from '../helpers/recipes/audits.ts'
import { connects } from '../helpers/recipes/connects.ts'
import { program } from '../helpers/recipes/needs.ts'
import { recipe } from '../helpers/recipes/recipe.ts'

const curl = program('curl', '--version')

recipe(
  {
    folder: 'curl',
    needs: [curl],
  },
  (stage) => {
    passesAudit(stage, () => auditOfDevice(stage, ['sh', 'sign-in.sh']))

    test.each([
      ['approve', 0, 'Signed in as alice'],
      ['deny', 1, 'Not signed in: '],
    ] as const)('shows the result: %s', async (decision, exitCode, message) => {
      const script = stage.start(['sh', 'sign-in.sh'])
      const [, code = ''] = await shown(/enter (\S+)/, () => script.said())
      await stage.sandbox.approveDevice(code, { user: 'alice', decision })
      expect(await script.ended).toBe(exitCode)
      expect(script.said()).toContain(message)
    })
  },
)

connects('curl', [curl], 'Signed in as alice', async ({ sandbox, said }) => {
  const [, code = ''] = await shown(/enter (\S+)/, said)
  await sandbox.approveDevice(code, { user: 'alice' })
  const [line] = await shown(/Signed in .*/, said)
  return line
})

/** Waits until a script prints what matches. */
function shown(pattern: RegExp, said: () => string): Promise<RegExpExecArray> {
  return vi.waitFor(
    () => {
      const match = pattern.exec(said())
      if (match === null) throw new Error(`${pattern.source} is not shown: ${said()}`)
      return match
    },
    { timeout: 30_000 },
  )
}
