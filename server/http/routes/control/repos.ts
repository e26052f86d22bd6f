import { Type } from 'typebox'
import { Empty } from '../../../contract/control.ts'
import {
  CreateRepoRequest,
  RepoDetail,
  RepoList,
  RepoQuery,
  UpdateRepoRequest,
} from '../../../contract/control-repos.ts'
import { pageOf } from './page.ts'
import {
  createRepoByHand,
  deleteRepoByHand,
  findRepoByHand,
  updateRepoByHand,
} from '../../../triggers/repos.ts'
import { describeRepo, describeRepoInDetail } from './views/repos.ts'
import { type ControlRoutes, refusals } from './plugin.ts'

const tags = ['repos']
const params = Type.Object({
  '*': Type.String({ description: 'Id, or namespace/name with its type before it where needed' }),
})

export const repoRoutes: ControlRoutes = async (app, { deps }) => {
  app.get(
    '/repos',
    {
      schema: {
        summary: 'List repositories',
        tags,
        querystring: RepoQuery,
        response: { 200: RepoList, ...refusals },
      },
    },
    async ({ query }) => {
      const search = query.search?.toLowerCase() ?? ''
      return pageOf(
        [...deps.state.repos.values()].filter(
          ({ type, name }) =>
            (query.type === undefined || type === query.type) &&
            name.toLowerCase().includes(search),
        ),
        query,
        ({ id }) => id,
        (repo) => describeRepo(deps, repo),
      )
    },
  )

  app.post(
    '/repos',
    {
      schema: {
        summary: 'Make a repository',
        tags,
        body: CreateRepoRequest,
        response: { 201: RepoDetail, ...refusals },
      },
    },
    async ({ body }, reply) => {
      reply.code(201)
      return describeRepoInDetail(deps, createRepoByHand(deps, body))
    },
  )

  app.get(
    '/repos/*',
    {
      schema: {
        summary: 'One repository',
        tags,
        params,
        response: { 200: RepoDetail, ...refusals },
      },
    },
    async (request) => describeRepoInDetail(deps, findRepoByHand(deps, request.params['*'])),
  )

  app.patch(
    '/repos/*',
    {
      schema: {
        summary: 'Change a repository',
        tags,
        params,
        body: UpdateRepoRequest,
        response: { 200: RepoDetail, ...refusals },
      },
    },
    async (request) => {
      const repo = findRepoByHand(deps, request.params['*'])
      return describeRepoInDetail(deps, updateRepoByHand(deps, repo, request.body))
    },
  )

  app.delete(
    '/repos/*',
    {
      schema: {
        summary: 'Delete a repository',
        tags,
        params,
        response: { 200: Empty, ...refusals },
      },
    },
    async (request) => {
      deleteRepoByHand(deps, findRepoByHand(deps, request.params['*']))
      return {}
    },
  )
}
