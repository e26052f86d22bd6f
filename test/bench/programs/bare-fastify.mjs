// Smallest Fastify program: one route that responds with JSON.
import fastify from 'fastify'
import { ready } from './child.mjs'

const app = fastify()
app.get('/json', async () => ({ status: 'ok' }))
ready(await app.listen({ port: 0, host: '127.0.0.1' }))
