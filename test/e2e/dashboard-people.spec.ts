import { expect, test as base } from './fixtures.ts'
import { Dashboard } from './pages/dashboard.ts'

interface User {
  username: string
  fullname: string
  email: string
  emailVerified: boolean
  isPro: boolean
  canPay: boolean
}

interface Organization {
  name: string
  fullname: string
  plan: string
  members: { user: { username: string }; role: string }[]
  securityRestrictions: { type: string }[]
}

const test = base.extend<{
  dashboard: Dashboard
  users: () => Promise<User[]>
  organization: (name: string) => Promise<Organization | undefined>
}>({
  dashboard: async ({ page, sandbox }, provide) => provide(new Dashboard(page, sandbox.url)),
  users: async ({ sandbox }, provide) => {
    await provide(async () => (await sandbox.control<{ items: User[] }>('GET', 'users')).items)
  },
  organization: async ({ sandbox }, provide) => {
    await provide(async (name) => {
      const { items } = await sandbox.control<{ items: Organization[] }>('GET', 'organizations')
      return items.find((item) => item.name === name)
    })
  },
})

test.describe('the dialog of a user', () => {
  test('the typed values are what an app gets at sign-in', async ({ dashboard, sandbox }) => {
    await dashboard.open('/people')
    await dashboard.button('Add user').click()
    const dialog = dashboard.dialog('Add user')
    await dialog.getByLabel('Username').fill('zoe')
    await dialog.getByLabel('Full name').fill('Zoë “Z” Ferreira')
    await dialog.getByLabel('Email', { exact: true }).fill('zoe@example.org')
    await dialog.getByRole('checkbox', { name: 'PRO' }).click()
    await dialog.getByRole('checkbox', { name: 'Has a payment method' }).click()
    await dialog.getByRole('button', { name: 'Add' }).click()
    await expect(dialog).toBeHidden()
    await expect(dashboard.table('Users').filter({ hasText: 'zoe' })).toBeVisible()

    const app = sandbox.fixtures.apps.find(({ clientSecret }) => clientSecret === undefined)
    const tokens = await sandbox.signIn({
      user: 'zoe',
      clientId: app?.clientId ?? '',
      scope: 'openid profile email',
    })
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    const claims = await (await fetch(`${sandbox.url}/oauth/userinfo`, { headers })).json()
    expect(claims).toMatchObject({
      preferred_username: 'zoe',
      name: 'Zoë “Z” Ferreira',
      email: 'zoe@example.org',
      email_verified: true,
      isPro: true,
    })
  })

  test('an empty name and e-mail address get defaults of the sandbox', async ({
    dashboard,
    users,
  }) => {
    await dashboard.open('/people')
    await dashboard.button('Add user').click()
    const dialog = dashboard.dialog('Add user')
    await dialog.getByLabel('Username').fill('zoe')
    await dialog.getByRole('button', { name: 'Add' }).click()
    await expect(dialog).toBeHidden()
    expect((await users()).find(({ username }) => username === 'zoe')).toMatchObject({
      fullname: 'zoe',
      email: 'zoe@example.com',
      emailVerified: true,
      isPro: false,
      canPay: false,
    })
  })

  test('a taken name, a taken e-mail address and an invalid name are reported, and no user is added', async ({
    dashboard,
    users,
  }) => {
    const before = await users()
    await dashboard.open('/people')
    await dashboard.button('Add user').click()
    const dialog = dashboard.dialog('Add user')
    const username = dialog.getByLabel('Username')
    const add = dialog.getByRole('button', { name: 'Add' })
    await username.fill('ALICE')
    await add.click()
    await expect(dialog.getByRole('alert')).toHaveText(/already has the name alice/)
    await username.fill('acme')
    await add.click()
    await expect(dialog.getByRole('alert')).toHaveText(/already has the name acme/)

    await username.fill('zoe')
    await dialog.getByLabel('Email', { exact: true }).fill('bob@example.com')
    await add.click()
    await expect(dialog.getByRole('alert')).toHaveText(/bob already has the e-mail address/)

    await dialog.getByLabel('Email', { exact: true }).fill('')
    await username.fill('two words')
    await add.click()
    await expect(username).toHaveAttribute('aria-invalid', 'true')
    await expect(dialog.getByRole('alert')).toHaveCount(1)
    await expect(username).toHaveAccessibleDescription(await dialog.getByRole('alert').innerText())

    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
    expect(await users()).toEqual(before)
    await dashboard.button('Add user').click()
    await expect(username).toHaveValue('')
  })

  test('tokens and repos follow a rename', async ({ dashboard, sandbox }) => {
    await dashboard.open('/people')
    await dashboard.button('Edit alice').click()
    const dialog = dashboard.dialog('Edit alice')
    await expect(dialog.getByLabel('Email', { exact: true })).toHaveValue('alice@example.com')
    await dialog.getByLabel('Username').fill('alicia')
    await dialog.getByRole('checkbox', { name: 'PRO' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    await expect(dashboard.table('Users').filter({ hasText: 'alicia' })).toBeVisible()

    const headers = { authorization: 'Bearer hf_sandbox_alice' }
    const whoami = await (await fetch(`${sandbox.url}/api/whoami-v2`, { headers })).json()
    expect(whoami).toMatchObject({ name: 'alicia', fullname: 'Alice Martin', isPro: false })
    const { items } = await sandbox.control<{ items: { name: string }[] }>('GET', 'repos')
    const names = items.map(({ name }) => name)
    expect(names).toContain('alicia/tiny-sentiment')
    expect(names.filter((name) => name.startsWith('alice/'))).toEqual([])
  })

  test('a user with an unverified e-mail address cannot sign in to an app', async ({
    dashboard,
    sandbox,
  }) => {
    await dashboard.open('/people')
    await dashboard.button('Edit bob').click()
    const dialog = dashboard.dialog('Edit bob')
    await dialog.getByRole('checkbox', { name: 'Email verified' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    const app = sandbox.fixtures.apps.find(({ clientSecret }) => clientSecret === undefined)
    const signIn = sandbox.signIn({ user: 'bob', clientId: app?.clientId ?? '', scope: 'openid' })
    await expect(signIn).rejects.toThrow(/address of bob is not verified/)
  })

  test('cancelled changes are dropped', async ({ dashboard, users }) => {
    const before = await users()
    await dashboard.open('/people')
    await dashboard.button('Edit bob').click()
    const dialog = dashboard.dialog('Edit bob')
    await dialog.getByLabel('Full name').fill('Somebody else')
    await dialog.getByRole('checkbox', { name: 'PRO' }).click()
    await dashboard.page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    expect(await users()).toEqual(before)
    await dashboard.button('Edit bob').click()
    await expect(dialog.getByLabel('Full name')).toHaveValue('Bob Okafor')
    await expect(dialog.getByRole('checkbox', { name: 'PRO' })).not.toBeChecked()
  })
})

test.describe('the dialog of an organization', () => {
  test('an app gets the entered members and plan', async ({ dashboard, sandbox, organization }) => {
    await dashboard.open('/people?view=organizations')
    await dashboard.button('Add organization').click()
    const dialog = dashboard.dialog('Add organization')
    await dialog.getByLabel('Name', { exact: true }).fill('guild')
    await dialog.getByLabel('Full name').fill('The Guild')
    await dashboard.choose(dialog.getByRole('combobox', { name: 'Plan' }), 'enterprise')
    await dashboard.choose(dialog.getByRole('combobox', { name: 'Role of alice' }), 'admin')
    await dashboard.choose(dialog.getByRole('combobox', { name: 'Role of dave' }), 'read')
    await dialog.getByRole('checkbox', { name: 'New repos are private by default' }).click()
    await dialog.getByRole('button', { name: 'Add' }).click()
    await expect(dialog).toBeHidden()
    await expect(dashboard.button('Edit guild')).toBeVisible()

    expect(await organization('guild')).toMatchObject({
      fullname: 'The Guild',
      plan: 'enterprise',
      defaultVisibility: 'private',
      members: [
        { user: { username: 'alice' }, role: 'admin' },
        { user: { username: 'dave' }, role: 'read' },
      ],
      securityRestrictions: [],
    })
    const headers = { authorization: 'Bearer hf_sandbox_dave' }
    const whoami = (await (await fetch(`${sandbox.url}/api/whoami-v2`, { headers })).json()) as {
      orgs: { name: string }[]
    }
    expect(whoami.orgs.map(({ name }) => name)).toContain('guild')
  })

  test('roles change and members leave; the rest stays', async ({ dashboard, organization }) => {
    await dashboard.open('/people?view=organizations')
    await dashboard.button('Edit acme').click()
    const dialog = dashboard.dialog('Edit acme')
    const role = (user: string) => dialog.getByRole('combobox', { name: `Role of ${user}` })
    await expect(role('alice')).toHaveText('admin')
    await expect(role('dave')).toHaveText('not a member')
    await dashboard.choose(role('carol'), 'not a member')
    await dashboard.choose(role('bob'), 'contributor')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    const { members, plan } = (await organization('acme')) ?? {}
    expect(plan).toBe('enterprise')
    expect(members?.map(({ user, role }) => [user.username, role])).toEqual([
      ['alice', 'admin'],
      ['bob', 'contributor'],
    ])
  })

  test('access restrictions are set and lifted one by one', async ({ dashboard, organization }) => {
    const restrictions = async () =>
      (await organization('acme'))?.securityRestrictions.map(({ type }) => type)
    await dashboard.open('/people?view=organizations')
    const dialog = dashboard.dialog('Edit acme')
    const tick = async (...labels: string[]) => {
      await dashboard.button('Edit acme').click()
      for (const name of labels) await dialog.getByRole('checkbox', { name }).click()
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expect(dialog).toBeHidden()
    }
    await tick('Two-factor authentication required', 'IP address not allowed')
    expect(await restrictions()).toEqual(['mfa', 'ip'])
    await dashboard.button('Edit acme').click()
    await expect(
      dialog.getByRole('checkbox', { name: 'Two-factor authentication required' }),
    ).toBeChecked()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
    await tick('Two-factor authentication required')
    expect(await restrictions()).toEqual(['ip'])
  })

  test('a taken and an invalid name are reported; cancelling adds nothing', async ({
    dashboard,
    organization,
  }) => {
    await dashboard.open('/people?view=organizations')
    await dashboard.button('Add organization').click()
    const dialog = dashboard.dialog('Add organization')
    const name = dialog.getByLabel('Name', { exact: true })
    const add = dialog.getByRole('button', { name: 'Add' })
    await name.fill('alice')
    await add.click()
    await expect(dialog.getByRole('alert')).toHaveText(/already has the name alice/)
    await name.fill('no/slash')
    await add.click()
    await expect(name).toHaveAttribute('aria-invalid', 'true')
    await expect(dialog.getByRole('alert')).toHaveCount(1)
    await name.fill('guild')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
    expect(await organization('guild')).toBeUndefined()
    expect(await organization('no/slash')).toBeUndefined()
  })
})

test('the selected tab is in the URL', async ({ dashboard, page }) => {
  await dashboard.open('/people')
  await expect(dashboard.table('Users').filter({ hasText: 'alice' })).toBeVisible()
  await dashboard.button(/^Organizations ?\d/).click()
  await expect(page).toHaveURL(/\/people\?view=organizations$/)
  await expect(dashboard.button('Edit acme')).toBeVisible()
  await page.reload()
  await expect(dashboard.button('Edit acme')).toBeVisible()
  await dashboard.button(/^Users ?\d/).click()
  await expect(page).toHaveURL(/\/people$/)
  await dashboard.open('/people?view=nonsense')
  await expect(dashboard.table('Users').filter({ hasText: 'alice' })).toBeVisible()
})

test('one click leads from a request to its token and its user, who has everything on one page', async ({
  dashboard,
  sandbox,
}) => {
  const { page } = dashboard
  const [app] = sandbox.fixtures.apps
  await sandbox.control('POST', 'webhooks', {
    owner: 'bob',
    name: 'of bob',
    url: 'http://localhost:9/',
    watched: [{ type: 'user', name: 'bob' }],
  })
  await sandbox.control('POST', 'repos', { type: 'model', name: 'bob/first' })
  const { access_token: accessToken } = await sandbox.signIn({
    user: 'bob',
    clientId: app?.clientId ?? '',
  })
  await fetch(`${sandbox.url}/api/whoami-v2`, {
    headers: { authorization: `Bearer ${accessToken}` },
  })

  await dashboard.open('/requests')
  await dashboard.table('Requests').filter({ hasText: '/api/whoami-v2' }).first().click()
  await dashboard.requestPanel.getByRole('link', { name: 'Open the token' }).click()
  await expect(page).toHaveURL(/\/tokens\/[^/]+$/)
  await expect(dashboard.beside('Token')).toContainText('Token of bob')
  await page.goBack()
  await dashboard.requestPanel.getByRole('link', { name: 'bob', exact: true }).click()
  await expect(dashboard.heading('bob')).toBeVisible()

  const lines = (title: string) => page.getByRole('list', { name: title }).getByRole('listitem')
  await expect(lines('Sign-ins')).toContainText([`${app?.name} completed`])
  await expect(lines('Tokens').first()).toContainText(app?.name ?? '')
  await expect(lines('Requests').first()).toContainText('200 GET /api/whoami-v2')
  await expect(lines('Repos')).toContainText(['bob/first'])
  await expect(lines('Webhooks')).toContainText(['of bob'])
  await expect(lines('Consents')).toContainText([app?.name ?? ''])
  await expect(lines('Organizations').first()).toBeVisible()
  await page.getByRole('link', { name: 'All requests' }).click()
  await expect(page).toHaveURL(/\/requests\?q=user%3Abob$/)
  await expect(dashboard.table('Requests').filter({ hasText: '/api/whoami-v2' })).toHaveCount(1)
})

test('a user who does not exist is said to be unknown', async ({ dashboard }) => {
  await dashboard.open('/people/nobody')
  await expect(dashboard.page.getByText('No user is named nobody.')).toBeVisible()
})

test('the card of an organization is as high as its content, not as its neighbour', async ({
  dashboard,
  page,
  sandbox,
}) => {
  const members = ['alice', 'bob', 'carol', 'dave'].map((user) => ({ user, role: 'read' }))
  await sandbox.control('POST', 'organizations', { name: 'alone', fullname: 'A' })
  await sandbox.control('POST', 'organizations', {
    name: 'crowded',
    fullname: 'Long '.repeat(40),
    members,
  })
  await page.setViewportSize({ width: 1440, height: 900 })
  await dashboard.open('/people?view=organizations')
  const cards = page.getByRole('article')
  await expect(cards.filter({ hasText: 'crowded' })).toBeVisible()
  // What a card has at its foot ends at its padding.
  const spare = await cards.evaluateAll((articles) =>
    articles.map((article) => {
      const { bottom } = article.getBoundingClientRect()
      const last = article.lastElementChild?.getBoundingClientRect().bottom ?? bottom
      return Math.round(bottom - last)
    }),
  )
  expect(new Set(spare).size).toBe(1)
  expect(spare[0]).toBeLessThan(24)
})
