import { defineConfig } from 'cypress'
import { startApp } from './app.js'
import { hubTasks } from './hub-tasks.js'

export default defineConfig({
  e2e: {
    baseUrl: 'http://localhost:3000',
    supportFile: false,
    env: { HF_ENDPOINT: process.env.HF_ENDPOINT },
    async setupNodeEvents(on) {
      const app = await startApp(3000)
      on('after:run', () => app.close())
      on('task', hubTasks())
    },
  },
})
