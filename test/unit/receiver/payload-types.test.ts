import { describe, expectTypeOf, it } from 'vitest'
import type * as contract from '../../../server/contract/webhook-payload.ts'
import type {
  Comment,
  Discussion,
  KnownPayload,
  PayloadFor,
  Repo,
  UpdatedRef,
  WebhookPayload,
  Webhooks,
} from '../../../server/receiver/index.ts'
import { isEvent } from '../../../server/receiver/index.ts'
import { fixture } from '../../../server/receiver/testing.ts'

// Held by `tsc`; at run time these only show that nothing throws.
describe('payload types', () => {
  it('equal those of the contract', () => {
    expectTypeOf<Repo>().toEqualTypeOf<contract.WebhookRepo>()
    expectTypeOf<Discussion>().toEqualTypeOf<contract.WebhookDiscussion>()
    expectTypeOf<Comment>().toEqualTypeOf<contract.WebhookComment>()
    expectTypeOf<UpdatedRef>().toEqualTypeOf<contract.WebhookUpdatedRef>()
    expectTypeOf<KnownPayload['event']['scope']>().toEqualTypeOf<contract.WebhookScope>()
    expectTypeOf<contract.WebhookPayload>().toExtend<KnownPayload>()
    expectTypeOf<KnownPayload>().toExtend<contract.WebhookPayload>()
  })

  it('narrow by the name of an event', () => {
    const payload = fixture('repo.content.update') as WebhookPayload
    if (isEvent(payload, 'repo.content')) {
      expectTypeOf(payload.updatedRefs).toEqualTypeOf<UpdatedRef[]>()
      expectTypeOf(payload.event.action).toEqualTypeOf<'update'>()
      expectTypeOf(payload.discussion).toEqualTypeOf<undefined>()
    }
    if (isEvent(payload, 'repo')) {
      expectTypeOf(payload.event.action).toEqualTypeOf<'create' | 'delete' | 'move' | 'update'>()
    }
  })

  it('narrow by the parts that are there', () => {
    const payload = fixture('repo.move') as KnownPayload
    if (payload.movedTo) expectTypeOf(payload.event.action).toEqualTypeOf<'move'>()
    if (payload.updatedRefs) {
      expectTypeOf(payload.event.scope).toEqualTypeOf<'repo.content'>()
    }
  })

  it('type the handlers of on()', () => {
    expectTypeOf<PayloadFor<'discussion.comment'>['comment']>().toEqualTypeOf<Comment>()
    const check = (webhooks: Webhooks) => {
      webhooks.on('discussion.create', ({ comment }) => comment.content)
      // @ts-expect-error the hub sends no such event
      webhooks.on('repo.contnet', () => undefined)
      // @ts-expect-error a change of content has no discussion
      webhooks.on('repo.content', ({ discussion }) => discussion.num)
    }
    expectTypeOf(check).toBeFunction()
  })
})
