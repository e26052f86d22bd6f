import { npmPackages } from '../helpers/recipes/needs.ts'
import { recipe } from '../helpers/recipes/recipe.ts'
import { receivesWebhooks, webhookSecret } from '../helpers/recipes/webhooks.ts'

recipe(
  {
    folder: 'webhooks-node',
    question: 'How do I test my webhook receiver in Node?',
    needs: [npmPackages],
    start: ['npm', 'start'],
    environment: () => ({ WEBHOOK_SECRET: webhookSecret }),
  },
  receivesWebhooks,
)
