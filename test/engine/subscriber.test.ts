/** What one subscriber writes to its response, piece by piece. */
import t from 'tap';
import { EventBacklog, QueuedEvent } from '../../src/engine/feed/event-backlog.ts';
import { Subscriber } from '../../src/engine/feed/subscriber.ts';

t.test('nothing is written within an event that is sent in pieces', async (t) => {
  const written: Buffer[] = [];
  const room = { left: 1 };
  const sink = {
    write: (text: Buffer) => {
      written.push(text);
      return --room.left > 0;
    },
    end: () => undefined,
    cut: () => undefined,
  };
  const nothing = (): void => undefined;
  const subscriber = new Subscriber(
    { accountId: 'a', projectId: undefined, projects: undefined, keyId: 'k', readOnly: false },
    sink,
    {
      ...{ backlog: new EventBacklog(), clock: () => 0, heartbeatText: Buffer.from('id: 1\n\n') },
      ...{ onDrained: nothing, onIdle: nothing, onOver: nothing },
    },
  );
  subscriber.join(0);
  subscriber.goLive();
  const text = `event: popup.created\ndata: "${'x'.repeat(100_000)}"\nid: 1\n\n`;
  subscriber.give(new QueuedEvent(1, Buffer.from(text), true, false), false);
  subscriber.serve();
  t.ok(subscriber.isWithinEvent);
  subscriber.drained();
  // The feed serves others first.
  subscriber.heartbeat();
  room.left = 9;
  subscriber.serve();
  t.equal(Buffer.concat(written).toString(), text);
  t.notOk(subscriber.isWithinEvent);
  subscriber.heartbeat();
  t.equal(written.at(-1)?.toString(), 'id: 1\n\n');
});
