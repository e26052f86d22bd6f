import type { Locator } from '@playwright/test'
import type { FlowDetail } from '../../../server/contract/control-flows.ts'
import type { Sandbox } from '../../../server/index.ts'
import { Dashboard } from './dashboard.ts'

/** Sign-ins, as they are drawn. */
export class SignInsPage extends Dashboard {
  readonly list: Locator = this.page.getByRole('list', { name: 'Sign-ins' }).getByRole('listitem')
  /** The drawing of one, with its heading. */
  readonly flow: Locator = this.page.getByRole('article', { name: 'Sign-in' })
  readonly steps: Locator = this.page.getByRole('list', { name: 'Steps' }).getByRole('button')
  readonly details: Locator = this.page.getByRole('complementary', { name: 'Step details' })

  step(name: string | RegExp): Locator {
    return this.steps.filter({ hasText: name })
  }

  /** Takes something of the export menu. */
  async save(item: string): Promise<{ name: string; content: Buffer }> {
    const download = this.page.waitForEvent('download')
    await this.button('Export').click()
    await this.page.getByRole('menuitem', { name: item }).click()
    const chunks: Buffer[] = []
    for await (const chunk of await (await download).createReadStream()) {
      chunks.push(chunk as Buffer)
    }
    return { name: (await download).suggestedFilename(), content: Buffer.concat(chunks) }
  }

  /** What a screen reader reads of the steps, one after the other. */
  story(): Promise<string[]> {
    return this.steps.locator('.sr-only').allTextContents()
  }
}

/** The newest flow as the sandbox has it. */
export async function newestFlow(sandbox: Sandbox): Promise<FlowDetail> {
  const { items } = await sandbox.control<{ items: { id: string }[] }>('GET', 'flows')
  return sandbox.control<FlowDetail>('GET', `flows/${items[0]?.id}`)
}
