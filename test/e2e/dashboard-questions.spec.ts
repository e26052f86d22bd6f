import type { Locator } from '@playwright/test'
import { expect, test as base } from './fixtures.ts'
import { Dashboard } from './pages/dashboard.ts'

const test = base.extend<{ dashboard: Dashboard }>({
  dashboard: async ({ page, sandbox }, provide) => provide(new Dashboard(page, sandbox.url)),
})

interface Question {
  /** Asks for what must not happen at one click. */
  ask: () => Promise<void>
  title: string
  /** What it says will be lost. */
  lost: string | RegExp
  action: string
  /** Whether what is in danger is still there. */
  isThere: () => Promise<boolean>
}

/** Asks, says no and finds everything as it was; asks again, says yes and finds it gone. */
async function answerBoth({ page }: Dashboard, question: Question): Promise<void> {
  const dialog = page.getByRole('alertdialog', { name: question.title })
  await question.ask()
  await expect(dialog).toContainText(question.lost)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  expect(await question.isThere()).toBe(true)

  await question.ask()
  await dialog.getByRole('button', { name: question.action }).click()
  await expect(dialog).toBeHidden()
  expect(await question.isThere()).toBe(false)
}

const click = (target: Locator) => () => target.click()

test('removing a user asks for confirmation and names what is deleted with it', async ({
  dashboard,
  sandbox,
}) => {
  await sandbox.control('POST', 'users', { username: 'zoe' })
  await sandbox.control('POST', 'repos', { type: 'model', name: 'zoe/first' })
  await dashboard.open('/people')
  await answerBoth(dashboard, {
    ask: async () => {
      if (!(await dashboard.dialog('Edit zoe').isVisible())) {
        await dashboard.button('Edit zoe').click()
      }
      await dashboard.dialog('Edit zoe').getByRole('button', { name: 'Remove' }).click()
    },
    title: 'Remove zoe?',
    lost: /1 repo, .*Tokens and sessions stop working/,
    action: 'Remove user',
    isThere: async () => {
      const { items } = await sandbox.control<{ items: { username: string }[] }>('GET', 'users')
      return items.some(({ username }) => username === 'zoe')
    },
  })
  await expect(dashboard.dialog('Edit zoe')).toBeHidden()
})

test('removing an organization asks for confirmation; a refusal keeps it', async ({
  dashboard,
  sandbox,
}) => {
  await sandbox.control('POST', 'organizations', {
    name: 'guild',
    members: [{ user: 'alice', role: 'admin' }],
  })
  await sandbox.control('POST', 'repos', { type: 'dataset', name: 'guild/first' })
  await dashboard.open('/people?view=organizations')
  const form = dashboard.dialog('Edit guild')
  await dashboard.button('Edit guild').click()
  await answerBoth(dashboard, {
    ask: click(form.getByRole('button', { name: 'Remove' })),
    title: 'Remove guild?',
    lost: /1 repo, .*1 membership/,
    action: 'Remove organization',
    isThere: async () => {
      const { items } = await sandbox.control<{ items: { name: string }[] }>('GET', 'organizations')
      return items.some(({ name }) => name === 'guild')
    },
  })
  await expect(form).toBeHidden()

  await dashboard.button('Edit acme').click()
  await dashboard.dialog('Edit acme').getByRole('button', { name: 'Remove' }).click()
  await dashboard.button('Remove organization').click()
  // Shown, and read out by an element of its own.
  await expect(dashboard.page.getByText('Apps are bound to acme').first()).toBeVisible()
  await expect(dashboard.dialog('Edit acme')).toBeVisible()
})

test('revoking a token asks for confirmation', async ({ dashboard, sandbox }) => {
  const { access_token } = await sandbox.control<{ access_token: string }>('POST', 'tokens', {
    user: 'bob',
    role: 'read',
    name: 'nightly',
  })
  await dashboard.open('/tokens?q=nightly')
  await answerBoth(dashboard, {
    ask: click(dashboard.button('Revoke token of bob')),
    title: 'Revoke this token of bob?',
    lost: 'are refused from now on',
    action: 'Revoke token',
    isThere: async () => {
      const headers = { authorization: `Bearer ${access_token}` }
      return (await fetch(`${sandbox.url}/api/whoami-v2`, { headers })).ok
    },
  })
})

test('disconnecting an app asks for confirmation', async ({ dashboard, sandbox }) => {
  const app = sandbox.fixtures.apps.find(({ clientSecret }) => clientSecret === undefined)
  await sandbox.signIn({ user: 'bob', clientId: app?.clientId ?? '', scope: 'openid profile' })
  await dashboard.open('/consents')
  await answerBoth(dashboard, {
    ask: click(dashboard.button(`Disconnect ${app?.name} of bob`)),
    title: `Disconnect ${app?.name} from bob?`,
    lost: 'are revoked',
    action: 'Disconnect app',
    isThere: async () => {
      const { items } = await sandbox.control<{ items: { user: { username: string } }[] }>(
        'GET',
        'consents',
      )
      return items.some(({ user }) => user.username === 'bob')
    },
  })
})

test('replacing a secret asks for confirmation', async ({ dashboard, sandbox }) => {
  const app = sandbox.fixtures.apps.find(({ clientSecret }) => clientSecret !== undefined)
  await dashboard.open(`/apps/${app?.clientId}?tab=settings`)
  await answerBoth(dashboard, {
    ask: click(dashboard.button('Replace secret')),
    title: `Replace the secret of ${app?.name}?`,
    lost: 'Clients that use the current secret are refused',
    action: 'Replace secret',
    isThere: async () => {
      const { items } = await sandbox.control<{ items: { clientSecret?: string }[] }>('GET', 'apps')
      return items.some(({ clientSecret }) => clientSecret === app?.clientSecret)
    },
  })
})

test('dropping the old signing keys asks for confirmation', async ({ dashboard, sandbox }) => {
  const kids = async () => {
    const { items } = await sandbox.control<{ items: { kid: string }[] }>('GET', 'keys')
    return items.map(({ kid }) => kid)
  }
  const [present] = await kids()
  await dashboard.open('/settings')
  await answerBoth(dashboard, {
    ask: click(dashboard.button('Rotate and revoke old keys')),
    title: 'Rotate and revoke the old keys?',
    lost: 'no longer verify',
    action: 'Rotate and revoke old keys',
    isThere: async () => (await kids()).includes(present ?? ''),
  })
})

test('removing a link asks for confirmation and names the webhooks that use it', async ({
  dashboard,
  sandbox,
}) => {
  const { url } = await sandbox.control<{ url: string }>('POST', 'links', {})
  await sandbox.control('POST', 'webhooks', {
    user: 'alice',
    url: `${url}/hook`,
    watched: [{ type: 'org', name: 'acme' }],
  })
  await dashboard.open('/webhooks')
  await answerBoth(dashboard, {
    ask: click(dashboard.button(/^Delete the link/)),
    title: 'Delete this link?',
    lost: 'Used by 1 webhook',
    action: 'Delete link',
    isThere: async () =>
      (await sandbox.control<{ items: object[] }>('GET', 'links')).items.length > 0,
  })
})

test('deleting an app, a webhook and a repo asks for confirmation', async ({
  dashboard,
  sandbox,
}) => {
  const { page } = dashboard
  const count = async (list: string) =>
    (await sandbox.control<{ items: object[] }>('GET', list)).items.length
  const gone = async (list: string) => {
    const before = await count(list)
    return async () => (await count(list)) === before
  }
  const { clientId } = await sandbox.control<{ clientId: string }>('POST', 'apps', {
    name: 'Passing',
    redirectUris: ['http://localhost:3000/back'],
    public: true,
  })
  await sandbox.signIn({ user: 'bob', clientId, scope: 'openid' })
  await dashboard.open(`/apps/${clientId}?tab=settings`)
  await answerBoth(dashboard, {
    ask: click(dashboard.button('Delete')),
    title: 'Delete Passing?',
    lost: 'Revokes 1 active token',
    action: 'Delete app',
    isThere: await gone('apps'),
  })

  await sandbox.control('POST', 'webhooks', {
    user: 'alice',
    name: 'retrain',
    url: 'http://localhost:9/hook',
    watched: [{ type: 'org', name: 'acme' }],
  })
  await dashboard.open('/webhooks')
  await answerBoth(dashboard, {
    ask: async () => {
      await dashboard.button('More for retrain').click()
      await page.getByRole('menuitem', { name: 'Delete…' }).click()
    },
    title: 'Delete this webhook?',
    lost: 'pending retries are cancelled',
    action: 'Delete webhook',
    isThere: await gone('webhooks'),
  })

  const { id } = await sandbox.control<{ id: string }>('POST', 'repos', {
    type: 'model',
    name: 'alice/passing',
  })
  await dashboard.open(`/repos?open=${id}`)
  await answerBoth(dashboard, {
    ask: click(dashboard.dialog('alice/passing').getByRole('button', { name: 'Delete' })),
    title: 'Delete alice/passing?',
    lost: 'are deleted too',
    action: 'Delete repo',
    isThere: await gone('repos'),
  })
})
