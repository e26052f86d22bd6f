import { expect } from '@playwright/test'
import type { Sandbox } from '../../../server/index.ts'
import { longest } from '../busy-sandbox.ts'
import type { Dashboard } from './dashboard.ts'
import { pagesOfThings } from './every-page.ts'

/** Way to a dialog: a page, then the names of what is clicked there, or keys after `+`. */
export interface Way {
  path: string
  clicks: readonly (string | RegExp)[]
}

interface Apps {
  items: { clientId: string; clientSecret?: string }[]
}

const files = `/repos/dataset/${longest.repo}`
const corpus = '/repos/dataset/acme/corpus'

/** Each dialog of the dashboard, and each page that opens by clicks only; of a busy sandbox with a snapshot `before`. */
export async function everyDialog(sandbox: Sandbox): Promise<Record<string, Way>> {
  const things = await pagesOfThings(sandbox)
  const way = (path: string | undefined, ...clicks: Way['clicks']): Way => ({
    path: path ?? '/',
    clicks,
  })
  const app = things['app-settings']
  const { items: apps } = await sandbox.control<Apps>('GET', 'apps')
  const confidential = apps.find(({ clientSecret }) => clientSecret !== undefined)
  return {
    'register-app': way('/apps', 'Register app'),
    'delete-app': way(app, /^Delete/),
    'replace-secret': way(`/apps/${confidential?.clientId}?tab=settings`, 'Replace secret'),
    'create-token': way('/tokens', 'Create token'),
    'revoke-token': way('/tokens', /^Revoke token of/),
    token: way(things['token']),
    'disconnect-app': way('/consents', /^Disconnect/),
    'add-publisher': way('/publishers', 'Add publisher'),
    'edit-publisher': way('/publishers', /^Edit publisher/),
    'check-document': way('/agents'),
    'open-frame': way('/space-frames', 'Open app in a frame'),
    'saved-requests': way('/requests?q=status:4xx', 'Saved views'),
    'saved-sign-ins': way('/sign-ins?q=alice', 'Saved views'),
    'saved-deliveries': way('/deliveries?state=failed', 'Saved views'),
    'edit-request': way('/requests?q=is:refused', /whoami/, /^Edit and replay/),
    'new-webhook': way('/webhooks?new'),
    'edit-webhook': way('/webhooks', /^More for H/, 'Edit…'),
    'audit-receiver': way('/webhooks', /^More for H/, 'Audit this receiver'),
    'delete-webhook': way('/webhooks', /^More for H/, 'Delete…'),
    'delete-link': way('/webhooks', /^Delete the link/),
    'edit-replay': way(things['delivery'], /^Edit and replay/),
    'replay-many': way(things['delivery'], 'More actions', /^Replay several times/),
    'compare-deliveries': way(things['delivery'], 'More actions', /^Compare/),
    'replay-chosen': way('/deliveries', 'Select', /^Select all/, 'Replay…'),
    duplicate: way('/deliveries', 'Select', /^Select all/, 'Duplicate…'),
    job: way('/jobs', /^[0-9a-f]{24}/),
    'schedule-job': way('/scheduled-jobs?new'),
    'delete-schedule': way('/scheduled-jobs', /^Delete/),
    'new-collection': way('/collections?new'),
    'edit-collection': way(things['collection'], 'Edit'),
    'add-item': way(things['collection'], 'Add item'),
    'edit-note': way(things['collection'], /^Edit the note/),
    'delete-collection': way(things['collection'], 'Delete'),
    'new-endpoint': way('/endpoints?new'),
    'delete-endpoint': way(things['endpoint'], 'Delete'),
    'add-user': way('/people', 'Add user'),
    'edit-user': way('/people', `Edit ${longest.account}`),
    'remove-user': way('/people', `Edit ${longest.account}`, 'Remove'),
    'add-organization': way('/people?view=organizations', 'Add organization'),
    'edit-organization': way('/people?view=organizations', `Edit ${longest.organization}`),
    'audit-row': way('/audit-log', /^(Refused|Issued) a token/),
    'create-repo': way('/repos', 'Create repo'),
    'repo-settings': way(things['repo']),
    'delete-repo': way(things['repo'], 'Delete'),
    'repo-readme': way(corpus),
    'repo-commits': way(`${files}?view=commits`),
    'repo-commit': way(`${files}?view=commits`, /^(Add|Update|Change|Create|Initial|initial)/),
    'repo-discussions': way(`${files}?view=discussions`),
    'repo-discussion': way(`${files}?view=discussions&num=1`),
    'repo-refs': way(`${files}?view=refs`),
    'delete-ref': way(`${files}?view=refs`, 'Delete tag v1'),
    'repo-access': way(`${files}?view=access`),
    'repo-file': way(`${files}?path=activity.txt`),
    'edit-file': way(`${files}?path=activity.txt`, 'Edit'),
    'add-file': way(`${files}?view=files`, 'Add file'),
    'open-discussion': way(`${files}?view=discussions`, 'Open discussion'),
    'ignore-finding': way('/findings', /^Ignore/),
    'add-fault': way('/faults?new'),
    'reset-sandbox': way('/settings', 'Reset to the fixtures'),
    'restore-snapshot': way('/settings', /^Restore/),
    'delete-snapshot': way('/settings', /^Delete s/),
    'rotate-keys': way('/settings', 'Rotate and revoke old keys'),
    'run-demo': way('/sign-ins', 'Run a demo'),
    'demo-device': way('/sign-ins', 'Run a demo', 'Run a device flow'),
    'sign-in-step': way(things['sign-in'], /token response/),
    present: way(things['sign-in'], '+p'),
    'present-notes': way(things['sign-in'], '+p', '+n'),
    trigger: way('/', '+t'),
    shortcuts: way('/', '+?'),
    palette: way('/', '+Control+k'),
    clock: way('/', /clock/i),
    'not-found': way('/nowhere'),
    'no-such-delivery': way('/deliveries/nowhere'),
    'no-such-sign-in': way('/sign-ins/nowhere'),
    'no-such-webhook': way('/webhooks/nowhere/activity'),
    'no-such-repo': way('/repos/model/acme/nowhere'),
    'no-such-app': way('/apps/nowhere'),
  }
}

const dialogs = '[role="dialog"], [role="alertdialog"]'

/** Goes the way to a dialog. */
export async function takeWay(dashboard: Dashboard, { path, clicks }: Way): Promise<void> {
  const { page } = dashboard
  // A presentation ends with its page, a dialog that has no address of its own with Escape.
  for (let tries = 0; tries < 5 && (await page.locator(dialogs).count()) > 0; tries += 1) {
    await page.keyboard.press('Escape')
  }
  await dashboard.go('/settings')
  await expect(page.locator(dialogs)).toHaveCount(0)
  await dashboard.go(path)
  await expect(page.locator('h1')).not.toHaveCount(0)
  await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0)
  for (const click of clicks) {
    if (typeof click === 'string' && click.startsWith('+')) {
      await page.keyboard.press(click.slice(1))
      continue
    }
    const options = { name: click, ...(typeof click === 'string' && { exact: true }) }
    await page
      .getByRole('button', options)
      .or(page.getByRole('menuitem', options))
      .or(page.getByRole('tab', options))
      .or(page.getByRole('link', options))
      .or(page.getByRole('row', options))
      .filter({ visible: true })
      .first()
      .click({ timeout: 8000 })
  }
}
