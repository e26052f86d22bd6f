import { describe, expectTypeOf, test } from 'vitest'
import type * as contract from '../../../server/contract/webhook-payload.ts'
import type {
  Comment,
  Discussion,
  KnownPayload,
  MovedTo,
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
  test('accept every payload of the contract', () => {
    expectTypeOf<contract.WebhookRepo>().toExtend<Repo>()
    expectTypeOf<contract.WebhookDiscussion>().toExtend<Discussion>()
    expectTypeOf<contract.WebhookComment>().toExtend<Comment>()
    expectTypeOf<contract.WebhookUpdatedRef>().toExtend<UpdatedRef>()
    expectTypeOf<KnownPayload['event']['scope']>().toEqualTypeOf<contract.WebhookScope>()
    expectTypeOf<contract.WebhookPayload>().toExtend<KnownPayload>()
  })

  test('have no required part that may be missing', () => {
    expectTypeOf<PayloadFor<'repo.move'>['movedTo']>().toEqualTypeOf<MovedTo | undefined>()
    expectTypeOf<PayloadFor<'discussion'>['discussion']>().toEqualTypeOf<Discussion | undefined>()
    expectTypeOf<Repo['url']['api']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<UpdatedRef['oldSha']>().toEqualTypeOf<string | null | undefined>()
    expectTypeOf(fixture('repo.move').movedTo).toEqualTypeOf<MovedTo>()
  })

  test('narrow by event name', () => {
    const payload = fixture('repo.content.update') as WebhookPayload
    if (isEvent(payload, 'repo.content')) {
      expectTypeOf(payload.updatedRefs).toEqualTypeOf<UpdatedRef[] | undefined>()
      expectTypeOf(payload.event.action).toEqualTypeOf<'update'>()
      expectTypeOf(payload.discussion).toEqualTypeOf<undefined>()
    }
    if (isEvent(payload, 'repo')) {
      expectTypeOf(payload.event.action).toEqualTypeOf<'create' | 'delete' | 'move' | 'update'>()
    }
  })

  test('narrow by existing parts', () => {
    const payload = fixture('repo.move') as KnownPayload
    if (payload.movedTo) expectTypeOf(payload.event.action).toEqualTypeOf<'move'>()
    if (payload.updatedRefs) {
      expectTypeOf(payload.event.scope).toEqualTypeOf<'repo.content'>()
    }
  })

  test('type the handlers of on()', () => {
    expectTypeOf<PayloadFor<'discussion.comment'>['comment']>().toEqualTypeOf<Comment | undefined>()
    const check = (webhooks: Webhooks) => {
      webhooks.on('discussion.create', ({ comment }) => comment?.content)
      // @ts-expect-error the hub sends no such event
      webhooks.on('repo.contnet', () => undefined)
      // @ts-expect-error a change of content has no discussion
      webhooks.on('repo.content', ({ discussion }) => discussion.num)
    }
    expectTypeOf(check).toBeFunction()
  })
})
