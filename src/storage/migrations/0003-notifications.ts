import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** Notifications and their deliveries. */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  const table = db.schema.createTable.bind(db.schema)

  await table('notifications')
    .addColumn('id', engine.identityType, (column) => engine.identity(column))
    .addColumn('agent_id', 'integer', (column) => column.notNull().references('agents.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('security', 'text', (column) => column.notNull())
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('previous_secret', 'text')
    .addColumn('previous_secret_until', 'text')
    .addColumn('events', 'text', (column) => column.notNull())
    .addColumn('active', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('failures', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('held_until', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('notifications_agent').on('notifications').columns(['agent_id', 'id']).execute()

  await table('notification_keys')
    .addColumn('agent_id', 'integer', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('notification_id', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('notification_keys_key', ['agent_id', 'key', 'notification_id'])
    .execute()

  await table('notification_slots')
    .addColumn('notification_id', 'integer', (column) => column.notNull())
    .addColumn('slot', 'integer', (column) => column.notNull())
    .addColumn('holder', 'text')
    .addColumn('held_until', 'text')
    .addPrimaryKeyConstraint('notification_slots_key', ['notification_id', 'slot'])
    .execute()

  await table('deliveries')
    .addColumn('id', engine.identityType, (column) => engine.identity(column))
    .addColumn('notification_id', 'integer', (column) => column.notNull())
    .addColumn('agent_id', 'integer', (column) => column.notNull())
    .addColumn('event_id', engine.identityType)
    .addColumn('event_key', 'text', (column) => column.notNull())
    .addColumn('completion_id', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('sent_at', 'text')
    .addColumn('finished_at', 'text')
    .addColumn('status', 'integer')
    .addColumn('failure', 'text')
    .addColumn('duration_ms', 'integer')
    .addColumn('answer', 'text')
    .addColumn('payload', 'text')
    .addColumn('replay_of', engine.identityType)
    .execute()
  await db.schema
    .createIndex('deliveries_notification')
    .on('deliveries')
    .columns(['notification_id', 'id'])
    .execute()
  await db.schema
    .createIndex('deliveries_pending')
    .on('deliveries')
    .columns(['notification_id', 'id'])
    .where(sql<boolean>`state = 'pending'`)
    .execute()
  await db.schema
    .createIndex('deliveries_sending')
    .on('deliveries')
    .columns(['sent_at'])
    .where(sql<boolean>`state = 'sending'`)
    .execute()
  await db.schema
    .createIndex('deliveries_completion')
    .on('deliveries')
    .columns(['completion_id'])
    .where(sql<boolean>`payload is not null`)
    .execute()
  await db.schema
    .createIndex('deliveries_finished')
    .on('deliveries')
    .columns(['finished_at'])
    .where(sql.ref('finished_at'), 'is not', null)
    .execute()

  await fanOut(db, engine)
}

/**
 * Creates a trigger that writes a delivery for each subscribed notification with every inserted event: always in the
 * transaction of its cause, and without a query of its own where no notification is subscribed.
 */
async function fanOut(db: Kysely<Tables>, engine: Engine): Promise<void> {
  const insert = sql.raw(`
    insert into deliveries (notification_id, agent_id, event_id, event_key, completion_id, state, created_at)
    select notification_id, new.agent_id, new.id, new.key, new.completion_id, 'pending', new.occurred_at
    from notification_keys where agent_id = new.agent_id and key = new.key;`)
  if (engine.kind === 'sqlite') {
    await sql`create trigger events_fan_out after insert on events begin ${insert} end`.execute(db)
    return
  }
  await sql`create function events_fan_out() returns trigger language plpgsql as $$
    begin ${insert} return null; end $$`.execute(db)
  await sql`create trigger events_fan_out after insert on events
    for each row execute function events_fan_out()`.execute(db)
}
