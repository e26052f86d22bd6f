import { createOrganization, deleteOrganization, updateOrganization } from './organizations.ts'
import { requireOrganization, requireUser } from '../../store/lookups.ts'
import { filtered, newestFirst, pageOf } from '../../web/page.ts'
import { createUser, deleteUser, updateUser } from './users.ts'
import { describeAuditRow, describeOrganization, describeUser } from './control-view.ts'
import { control, type ControlRoutes } from '../../web/control-route.ts'
import type { HubServices } from '../services.ts'

export const userRoutes: ControlRoutes<HubServices> = async (app, { deps }) => {
  control(app, 'GET users', async ({ query }) =>
    pageOf(
      deps.state.users.values(),
      query,
      ({ id }) => id,
      (user) => describeUser(deps, user),
    ),
  )
  control(app, 'POST users', async ({ body }) => describeUser(deps, createUser(deps, body)))
  control(app, 'GET users/:name', async (request) =>
    describeUser(deps, requireUser(deps, request.params.name)),
  )
  control(app, 'PATCH users/:name', async (request) => {
    const user = requireUser(deps, request.params.name)
    return describeUser(deps, updateUser(deps, user, request.body))
  })
  control(app, 'DELETE users/:name', async (request) => {
    deleteUser(deps, requireUser(deps, request.params.name))
    return {}
  })
}

export const organizationRoutes: ControlRoutes<HubServices> = async (app, { deps }) => {
  control(app, 'GET organizations', async ({ query }) =>
    pageOf(
      deps.state.organizations.values(),
      query,
      ({ id }) => id,
      (organization) => describeOrganization(deps, organization),
    ),
  )
  control(app, 'POST organizations', async ({ body }) =>
    describeOrganization(deps, createOrganization(deps, body)),
  )
  control(app, 'GET organizations/:name', async (request) =>
    describeOrganization(deps, requireOrganization(deps, request.params.name)),
  )
  control(app, 'PATCH organizations/:name', async (request) => {
    const organization = requireOrganization(deps, request.params.name)
    return describeOrganization(deps, updateOrganization(deps, organization, request.body))
  })
  control(app, 'DELETE organizations/:name', async (request) => {
    deleteOrganization(deps, requireOrganization(deps, request.params.name))
    return {}
  })
}

export const auditLogRoutes: ControlRoutes<HubServices> = async (app, { deps }) => {
  control(app, 'GET audit-log', async ({ query }) => {
    const { auditRows } = deps.state
    const rows =
      query.organization === undefined
        ? auditRows.newestFirst()
        : newestFirst(
            auditRows.group(
              'organization',
              requireOrganization(deps, query.organization, 'organization').id,
            ),
          )
    const author =
      query.author === undefined ? undefined : requireUser(deps, query.author, 'author')
    return pageOf(
      filtered(
        rows,
        ({ type, authorId }) =>
          (query.type === undefined || type === query.type) &&
          (author === undefined || authorId === author.id),
      ),
      query,
      ({ id }) => id,
      (row) => describeAuditRow(deps, row),
    )
  })
}
