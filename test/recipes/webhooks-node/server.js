import { createHash, timingSafeEqual } from 'node:crypto'
import express from 'express'

const { WEBHOOK_SECRET = '', PORT = 8000 } = process.env

const digest = (text) => createHash('sha256').update(text).digest()
const isSecret = (text) => timingSafeEqual(digest(text), digest(WEBHOOK_SECRET))

/** Deliveries come again when an answer was late: what was done once is not done twice. */
const done = new Set()

const app = express()
app.use(express.json({ limit: '5mb' }))

app.post('/webhook', (request, response) => {
  if (!isSecret(request.get('X-Webhook-Secret') ?? '')) {
    response.status(403).send('This is not the secret of the webhook.')
    return
  }
  // A body that is missing or no payload: its sender has nothing to repeat.
  if (!request.body?.event) {
    response.status(400).send('This is not a payload.')
    return
  }
  const { event, repo, updatedRefs = [] } = request.body
  if (event.scope !== 'repo.content') {
    response.status(202).send('Nothing to do.')
    return
  }
  for (const { ref, newSha } of updatedRefs) {
    const name = `${repo.name} ${ref} ${newSha}`
    if (done.has(name)) continue
    done.add(name)
    console.log(`${repo.type} ${repo.name}: ${ref} is now at ${newSha}`)
  }
  response.send('Thanks.')
})

app.get('/', (_request, response) => response.send('It listens at /webhook.'))

app.listen(Number(PORT), 'localhost')
