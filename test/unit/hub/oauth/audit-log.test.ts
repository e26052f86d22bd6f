import { expect, test } from 'vitest'
import { exportAuditLog, recordAudit } from '../../../../server/hub/oauth/audit-log.ts'
import { createTestDeps } from '../../../helpers/deps.ts'
import { testSettings } from '../../../worlds/settings.ts'

const row = (organizationId: string, message: string, ip?: string) => ({
  organizationId,
  message,
  type: 'oauth.token',
  ...(ip === undefined ? {} : { ip }),
})

test('the audit log keeps as many rows as its cap for all organizations together, and drops the oldest', async () => {
  const caps = { ...testSettings.caps, auditRows: 3 }
  const { deps, organizations } = await createTestDeps({ caps })
  const { acme, labs } = organizations
  const messages = () => [...deps.state.auditRows.values()].map(({ message }) => message)

  for (const message of ['1', '2', '3']) recordAudit(deps, row(acme.id, message))
  expect(messages()).toEqual(['1', '2', '3'])
  recordAudit(deps, row(labs.id, '4'))
  recordAudit(deps, row(acme.id, '5'))
  expect(messages()).toEqual(['3', '4', '5'])
  const listed = exportAuditLog(deps, { organization: acme, query: '', root: '' })
  expect(listed.map(({ message }) => message)).toEqual(['5', '3'])
})

test('the audit log is filtered by the IP address of a request', async () => {
  const { deps, organizations } = await createTestDeps()
  const { acme } = organizations
  recordAudit(deps, row(acme.id, 'home', '127.0.0.1'))
  recordAudit(deps, row(acme.id, 'container', '172.17.0.2'))
  recordAudit(deps, row(acme.id, 'by the sandbox itself'))
  const found = (query: string) =>
    exportAuditLog(deps, { organization: acme, query, root: '' }).map(({ message }) => message)

  expect(found('ip:172.17.0.2')).toEqual(['container'])
  expect(found('ip:127.0.0.1 ip:172.17.0.2')).toEqual(['container', 'home'])
  expect(found('ip:127.0.0.2')).toEqual([])
  expect(found('type:oauth.token')).toHaveLength(3)
})
