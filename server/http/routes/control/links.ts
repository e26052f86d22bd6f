import { Type } from 'typebox'
import { Empty } from '../../../contract/control.ts'
import { CreateLinkRequest, LinkItem, LinkList } from '../../../contract/control-sandbox.ts'
import { Refusal } from '../../../core/refusal.ts'
import type { Link } from '../../../outgoing/links.ts'
import { type ControlRoutes, refusals } from './plugin.ts'

const params = Type.Object({ id: Type.String({ description: 'Link' }) })

export const linkRoutes: ControlRoutes = async (app, { deps: { links } }) => {
  const tags = ['webhooks']
  app.get(
    '/links',
    { schema: { summary: 'List links', tags, response: { 200: LinkList, ...refusals } } },
    async () => ({ items: (await links.list()).map(describe) }),
  )
  app.post(
    '/links',
    {
      schema: {
        summary: 'Make a temporary link to a local receiver',
        description:
          'A port of its own that passes calls on: a tunnel that expires after 72 h, or a hosted receiver that stops after 48 h without a call. Without a target it is a sample receiver, which answers 200. It comes back at its port with a data folder; one whose port is taken meanwhile is paused, and asking for the same again makes it again.',
        tags,
        body: CreateLinkRequest,
        response: { 201: LinkItem, ...refusals },
      },
    },
    async ({ body }, reply) => {
      const link = await links.create(body)
      reply.code(201)
      return describe(link)
    },
  )
  app.post(
    '/links/:id/wake',
    {
      schema: {
        summary: 'Start a hosted receiver or a paused link again',
        tags,
        params,
        response: { 200: LinkItem, ...refusals },
      },
    },
    async (request) => {
      const link = await links.wake(request.params.id)
      if (link === undefined) throw unknownLink(request.params.id)
      return describe(link)
    },
  )
  app.delete(
    '/links/:id',
    { schema: { summary: 'End a link', tags, params, response: { 200: Empty, ...refusals } } },
    async (request) => {
      const { id } = request.params
      if (!(await links.remove(id))) throw unknownLink(id)
      return {}
    },
  )
}

function unknownLink(id: string): Refusal {
  return new Refusal('not_found', `There is no link ${id}.`)
}

function describe({ expiresAt, ...link }: Link): LinkItem {
  return { ...link, expiresAt: new Date(expiresAt).toISOString() }
}
