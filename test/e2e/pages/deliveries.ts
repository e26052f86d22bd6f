import { expect, type Locator } from '@playwright/test'
import { Dashboard } from './dashboard.ts'

export class DeliveriesPage extends Dashboard {
  get rows(): Locator {
    return this.page
      .getByRole('grid', { name: 'Deliveries' })
      .locator('[role="row"][aria-selected]')
  }

  /** Rows of a response status; the number of a port may hold the same digits. */
  withStatus(status: number): Locator {
    return this.rows.filter({ hasText: new RegExp(`(?<!\\d)${status}(?!\\d)`) })
  }

  get selected(): Locator {
    return this.page.locator('[role="row"][aria-selected="true"]')
  }

  get detail(): Locator {
    return this.page.getByRole('article', { name: 'Delivery' })
  }

  /** What the line above the list says, such as `Succeeded`. */
  fact(name: string): Locator {
    return this.page
      .locator('dl > div')
      .filter({ has: this.page.getByText(name, { exact: true }) })
      .getByRole('definition')
  }

  pane(name: string): Locator {
    return this.detail.getByRole('tab', { name })
  }

  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key)
  }

  async filter(text: string): Promise<void> {
    await this.press('/')
    await expect(this.page.getByRole('combobox', { name: 'Filter deliveries' })).toBeFocused()
    await this.page.keyboard.type(text)
    await this.press('Escape')
  }
}
