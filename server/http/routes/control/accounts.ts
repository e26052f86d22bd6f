import { Type } from 'typebox'
import { Empty, PageQuery } from '../../../contract/control.ts'
import {
  AuditList,
  AuditQuery,
  CreateOrganizationRequest,
  CreateUserRequest,
  OrganizationItem,
  OrganizationList,
  UpdateOrganizationRequest,
  UpdateUserRequest,
  UserItem,
  UserList,
} from '../../../contract/control-accounts.ts'
import {
  createOrganization,
  deleteOrganization,
  updateOrganization,
} from '../../../accounts/organizations.ts'
import { requireOrganization, requireUser } from '../../../state/lookups.ts'
import { newestFirst, pageOf } from './page.ts'
import { createUser, deleteUser, updateUser } from '../../../accounts/users.ts'
import { describeAuditRow, describeOrganization, describeUser } from './views/accounts.ts'
import { type ControlRoutes, refusals } from './plugin.ts'

const params = Type.Object({ name: Type.String({ description: 'Name of the account' }) })

export const userRoutes: ControlRoutes = async (app, { deps }) => {
  const tags = ['users']
  app.get(
    '/users',
    {
      schema: {
        summary: 'List users',
        tags,
        querystring: PageQuery,
        response: { 200: UserList, ...refusals },
      },
    },
    async ({ query }) =>
      pageOf(
        deps.state.users.values(),
        query,
        ({ id }) => id,
        (user) => describeUser(deps, user),
      ),
  )
  app.post(
    '/users',
    {
      schema: {
        summary: 'Make a user',
        tags,
        body: CreateUserRequest,
        response: { 201: UserItem, ...refusals },
      },
    },
    async ({ body }, reply) => {
      reply.code(201)
      return describeUser(deps, createUser(deps, body))
    },
  )
  app.get(
    '/users/:name',
    { schema: { summary: 'One user', tags, params, response: { 200: UserItem, ...refusals } } },
    async (request) => describeUser(deps, requireUser(deps, request.params.name)),
  )
  app.patch(
    '/users/:name',
    {
      schema: {
        summary: 'Change a user',
        tags,
        params,
        body: UpdateUserRequest,
        response: { 200: UserItem, ...refusals },
      },
    },
    async (request) => {
      const user = requireUser(deps, request.params.name)
      return describeUser(deps, updateUser(deps, user, request.body))
    },
  )
  app.delete(
    '/users/:name',
    {
      schema: {
        summary: 'Delete a user with what is theirs alone',
        tags,
        params,
        response: { 200: Empty, ...refusals },
      },
    },
    async (request) => {
      deleteUser(deps, requireUser(deps, request.params.name))
      return {}
    },
  )
}

export const organizationRoutes: ControlRoutes = async (app, { deps }) => {
  const tags = ['organizations']
  app.get(
    '/organizations',
    {
      schema: {
        summary: 'List organizations',
        tags,
        querystring: PageQuery,
        response: { 200: OrganizationList, ...refusals },
      },
    },
    async ({ query }) =>
      pageOf(
        deps.state.organizations.values(),
        query,
        ({ id }) => id,
        (organization) => describeOrganization(deps, organization),
      ),
  )
  app.post(
    '/organizations',
    {
      schema: {
        summary: 'Make an organization',
        tags,
        body: CreateOrganizationRequest,
        response: { 201: OrganizationItem, ...refusals },
      },
    },
    async ({ body }, reply) => {
      reply.code(201)
      return describeOrganization(deps, createOrganization(deps, body))
    },
  )
  app.get(
    '/organizations/:name',
    {
      schema: {
        summary: 'One organization',
        tags,
        params,
        response: { 200: OrganizationItem, ...refusals },
      },
    },
    async (request) => describeOrganization(deps, requireOrganization(deps, request.params.name)),
  )
  app.patch(
    '/organizations/:name',
    {
      schema: {
        summary: 'Change an organization',
        tags,
        params,
        body: UpdateOrganizationRequest,
        response: { 200: OrganizationItem, ...refusals },
      },
    },
    async (request) => {
      const organization = requireOrganization(deps, request.params.name)
      return describeOrganization(deps, updateOrganization(deps, organization, request.body))
    },
  )
  app.delete(
    '/organizations/:name',
    {
      schema: {
        summary: 'Delete an organization',
        tags,
        params,
        response: { 200: Empty, ...refusals },
      },
    },
    async (request) => {
      deleteOrganization(deps, requireOrganization(deps, request.params.name))
      return {}
    },
  )
}

export const auditLogRoutes: ControlRoutes = async (app, { deps }) => {
  app.get(
    '/audit-log',
    {
      schema: {
        summary: 'Audit logs of the organizations',
        tags: ['organizations'],
        querystring: AuditQuery,
        response: { 200: AuditList, ...refusals },
      },
    },
    async ({ query }) => {
      const { auditRows } = deps.state
      const rows =
        query.organization === undefined
          ? [...auditRows.values()]
          : auditRows.group(
              'organization',
              requireOrganization(deps, query.organization, 'organization').id,
            )
      const author =
        query.author === undefined ? undefined : requireUser(deps, query.author, 'author')
      return pageOf(
        newestFirst(rows).filter(
          ({ type, authorId }) =>
            (query.type === undefined || type === query.type) &&
            (author === undefined || authorId === author.id),
        ),
        query,
        ({ id }) => id,
        (row) => describeAuditRow(deps, row),
      )
    },
  )
}
