import { expect, type Locator, type Page } from '@playwright/test'
import { dashboardPlaces } from '../../../server/contract/dashboard-pages.ts'

/** The dashboard as its users see it: by roles and labels. */
export class Dashboard {
  readonly page: Page
  readonly url: string

  constructor(page: Page, sandboxUrl: string) {
    this.page = page
    this.url = `${sandboxUrl}/_sandbox`
  }

  /** Opens a page of the dashboard and waits until the live feed flows. */
  async open(path: string): Promise<void> {
    await this.page.goto(`${this.url}${path}`)
    await expect(this.page.locator('[data-live="open"]')).toBeVisible()
  }

  /** Goes to a page as a link of the dashboard does, which loads nothing anew. */
  async go(path: string): Promise<void> {
    await this.page.evaluate((url) => history.pushState(null, '', url), `${this.url}${path}`)
  }

  /** Clicks the way to a page: its place, and its name beside the other pages of the place. */
  async visit(label: string): Promise<void> {
    const place = dashboardPlaces.find(
      ({ label: name, pages }) => name === label || pages.some((page) => page.label === label),
    )
    const link = (name: string) =>
      this.page.getByRole('navigation').getByRole('link', { name, exact: true })
    if (place !== undefined) await link(place.label).click()
    if (place?.label !== label && place?.pages[0].label !== label) await link(label).click()
  }

  heading(name: string | RegExp): Locator {
    return this.page.getByRole('heading', { name, level: 1 })
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name })
  }

  dialog(name?: string): Locator {
    return this.page.getByRole('dialog', { ...(name !== undefined && { name }) })
  }

  /** Open entry beside its list. */
  beside(name: string): Locator {
    return this.page.getByRole('complementary', { name, exact: true })
  }

  /** Open request beside the list. */
  get requestPanel(): Locator {
    return this.beside('Request')
  }

  notice(text: string | RegExp): Locator {
    return this.page.getByRole('dialog').filter({ hasText: text })
  }

  table(name: string): Locator {
    return this.page.getByRole('region', { name }).getByRole('row')
  }

  /** Takes a choice of a select. */
  async choose(select: Locator, option: string): Promise<void> {
    // The list of the select before may be on its way out.
    await expect(this.page.getByRole('listbox')).toHaveCount(0)
    await select.click()
    await this.page.getByRole('option', { name: option, exact: true }).click()
  }

  /** What asks before something is lost. */
  question(title: string): Locator {
    return this.page.getByRole('alertdialog', { name: title })
  }

  /** A part of a page, by its heading. */
  panel(title: string): Locator {
    return this.page
      .locator('section')
      .filter({ has: this.page.getByRole('heading', { name: title, exact: true }) })
  }
}
