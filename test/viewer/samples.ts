/** Small projects, as published. */

let next = 0;

type Members = Readonly<Record<string, unknown>>;

/** A spot; every member as in the API. */
export const spot = (name: string, x: number, y: number, more: Members = {}): Record<string, unknown> => ({
  id: `object-${++next}`,
  name,
  type: 'spot',
  x,
  y,
  radius: 20,
  pin: false,
  color: '#2563eb',
  ...more,
});

/** A rectangle. */
export const box = (
  name: string,
  x: number,
  y: number,
  width: number,
  height: number,
  more: Members = {},
): Record<string, unknown> => ({
  id: `object-${++next}`,
  name,
  type: 'poly',
  coords: [
    { x, y },
    { x: x + width, y },
    { x: x + width, y: y + height },
    { x, y: y + height },
  ],
  color: '#16a34a',
  ...more,
});

export const artboard = (name: string, objects: readonly Members[], more: Members = {}): Record<string, unknown> => ({
  id: `artboard-${name}`,
  name,
  type: 'color',
  width: 800,
  height: 600,
  bg_color: '#ffffff',
  objects,
  ...more,
});

export const popupAt = (object: Members, more: Members = {}): Record<string, unknown> => ({
  id: `popup-${++next}`,
  attachedTo: object['id'],
  maxWidth: 300,
  title: object['name'],
  content: '<p>About it.</p>',
  ...more,
});

export const project = (artboards: readonly Members[], popups: readonly Members[] = []): Record<string, unknown> => ({
  id: 'project',
  name: 'Sample',
  artboards,
  popups,
});

/** Two floors with rooms that have popups, links, and a way between them. */
export function building(): {
  document: Record<string, unknown>;
  ids: Record<'hall' | 'kitchen' | 'stairs' | 'shop' | 'attic', string>;
} {
  const hall = box('Hall', 100, 100, 200, 200);
  const kitchen = spot('Kitchen', 500, 200, { hover_color: '#ff0000', hover_opacity: 1 });
  const stairs = box('Stairs', 350, 400, 100, 100, {
    click_action: 'change-artboard',
    click_action_artboard_id: 'artboard-Upstairs',
    color: '#94a3b8',
  });
  const shop = spot('Shop', 650, 450, { click_action: 'follow-link', click_action_url: '/shop.html' });
  const wall = box('Wall', 20, 20, 30, 560, { color: '#334155' });
  const attic = spot('Attic', 400, 300);
  return {
    document: project(
      [artboard('Downstairs', [wall, hall, kitchen, stairs, shop]), artboard('Upstairs', [attic])],
      [
        popupAt(hall, { content: '<p>Room for <b>80</b>.</p>', buttonText: 'Book', buttonLink: 'https://rooms.example/hall' }),
        popupAt(kitchen, { title: '', content: 'Coffee\nand tea' }),
        popupAt(attic),
      ],
    ),
    ids: {
      hall: String(hall['id']),
      kitchen: String(kitchen['id']),
      stairs: String(stairs['id']),
      shop: String(shop['id']),
      attic: String(attic['id']),
    },
  };
}
