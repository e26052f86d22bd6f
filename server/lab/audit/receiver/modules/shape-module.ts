import {
  judgeAccepted,
  receiverModule,
  type ReceiverModule,
  type Sighting,
} from '../receiver-module.ts'
import type { Payload, Receiver } from '../audited-receiver.ts'

const without = (value: unknown, name: string) => {
  const { [name]: _left, ...rest } = Object(value) as Record<string, unknown>
  return rest
}

const texts: readonly (readonly [string, string])[] = [
  ['emoji', 'Nice 👩‍👩‍👧‍👦 🇪🇺 \u{1F9D1}\u200D\u{1F680}'],
  ['right-to-left text', '\u05E9\u05DC\u05D5\u05DD \u202Eabc\u202C \u0645\u0631\u062D\u0628\u0627'],
  ['HTML', '<script>alert(1)</script><img src=x onerror=alert(1)> & "quoted"'],
  ['line breaks', 'one\r\ntwo\u2028three\u0000four'],
  ['60 KB', 'long text '.repeat(6 * 1024)],
]

export const shapeModules: readonly ReceiverModule[] = [
  receiverModule({
    id: 'shape/optional',
    plan: 'full',
    title: 'The receiver requires members that the Hub leaves out in some events.',
    sends:
      'a hidden comment without content, no headSha, refs that are created and deleted, an empty updatedConfig',
    expected: 'The receiver accepts them all.',
    level: 'error',
    fix: 'Treat comment.content, repo.headSha, oldSha, newSha and the members of updatedConfig as optional.',
    async provoke(receiver) {
      const seen: Sighting[] = []
      for (const [what, payload] of optionalShapes(receiver)) {
        seen.push({ what, reaction: await receiver.send({ payload }) })
      }
      return judgeAccepted(seen)
    },
  }),
  receiverModule({
    id: 'shape/text',
    plan: 'full',
    title: 'The receiver fails on texts that users may write.',
    sends: 'comments with emoji, right-to-left text, HTML, line breaks and 60 KB',
    expected: 'The receiver accepts them all.',
    level: 'warning',
    fix: 'Read the body as UTF-8, and allow bodies of at least 1 MB.',
    async provoke(receiver) {
      const seen: Sighting[] = []
      for (const [what, content] of texts) {
        const payload = receiver.payload('discussion.comment.create')
        const comment = { ...Object(payload['comment']), content }
        seen.push({
          what: `a comment with ${what}`,
          reaction: await receiver.send({ payload: { ...payload, comment } }),
        })
      }
      return judgeAccepted(seen)
    },
  }),
]

function optionalShapes(receiver: Receiver): [string, Payload][] {
  const comment = receiver.payload('discussion.comment.update')
  const push = receiver.payload('repo.content.update')
  const config = receiver.payload('repo.config.update')
  const ref = 'refs/heads/branch'
  const sha = 'a'.repeat(40)
  return [
    [
      'a hidden comment',
      { ...comment, comment: { ...without(comment['comment'], 'content'), hidden: true } },
    ],
    ['a repo without headSha', { ...push, repo: without(push['repo'], 'headSha') }],
    ['a ref that is created', { ...push, updatedRefs: [{ ref, oldSha: null, newSha: sha }] }],
    ['a ref that is deleted', { ...push, updatedRefs: [{ ref, oldSha: sha, newSha: null }] }],
    ['an empty updatedConfig', { ...config, updatedConfig: {} }],
  ]
}
