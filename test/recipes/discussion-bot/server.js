import { createHash, timingSafeEqual } from 'node:crypto'
import express from 'express'

const { HF_TOKEN = '', WEBHOOK_SECRET = '', PORT = 8000 } = process.env
const { INFERENCE_URL = 'https://router.huggingface.co' } = process.env
const mention = '@discussion-bot'
const model = 'meta-llama/Llama-3.1-8B-Instruct'

const digest = (text) => createHash('sha256').update(text).digest()
const isSecret = (text) => timingSafeEqual(digest(text), digest(WEBHOOK_SECRET))

async function post(url, body) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { Authorization: `Bearer ${HF_TOKEN}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return response.json()
}

async function answer(question) {
  const { choices } = await post(`${INFERENCE_URL}/v1/chat/completions`, {
    model,
    messages: [
      { role: 'system', content: 'You answer questions about a repository in one paragraph.' },
      { role: 'user', content: question },
    ],
  })
  return choices[0].message.content
}

const app = express()
app.use(express.json({ limit: '5mb' }))

app.post('/webhook', async (request, response) => {
  if (!isSecret(request.get('X-Webhook-Secret') ?? '')) {
    response.status(403).send('This is not the secret of the webhook.')
    return
  }
  // A body that is missing or no payload: its sender has nothing to repeat.
  if (!request.body?.event) {
    response.status(400).send('This is not a payload.')
    return
  }
  const { event, discussion, comment } = request.body
  const isNew = event.action === 'create' && event.scope.startsWith('discussion')
  if (!isNew || !comment?.content?.includes(mention)) {
    response.status(202).send('Nothing to do.')
    return
  }
  // Without the mention, so that the bot does not answer itself.
  const question = comment.content.replaceAll(mention, '').trim()
  const { url } = discussion
  try {
    await post(`${url.api}/comment`, { comment: await answer(question) })
    response.send('Answered.')
  } catch (error) {
    // The delivery is repeated later.
    response.status(502).send(error.message)
  }
})

app.get('/', (_request, response) => response.send('It listens at /webhook.'))

app.listen(Number(PORT), 'localhost')
