// A setting (JSON on stdin) simulated by Matter.js or Rapier: node simulation_engines.js ENGINE FOLDER
// FOLDER holds node_modules. Answers {states: frames x things x 6, contacts: [[time, a, b]]} as JSON, in px,
// degrees and seconds like unrender.worlds.mechanics.
const { createRequire } = require("module");
const path = require("path");
const [engine, folder] = process.argv.slice(2);
const from = createRequire(path.join(path.resolve(folder), "x.js"));
const setting = JSON.parse(require("fs").readFileSync(0, "utf8"));
const RADIANS = Math.PI / 180;
const step = 1 / setting.fps / setting.steps; // seconds

function order(a, b) {
  return [Math.max(a, b), Math.min(a, b)];
}

function matter() {
  const { Engine, Bodies, Body, Composite, Events } = from("matter-js");
  const BASE = 1000 / 60; // ms: the unit of Matter's velocities
  const ZOOM = 4; // Matter's px in one of the film: people fill windows of 800 px, and it bounces nothing slow
  const world = Engine.create();
  world.gravity = { x: ZOOM * setting.gravity[0], y: ZOOM * setting.gravity[1], scale: 1e-6 };
  const numbers = new Map();
  const bodies = setting.things.map((thing, i) => {
    const look = {
      restitution: thing.elasticity, friction: thing.friction, frictionStatic: 0,
      frictionAir: setting.drag / 60, isStatic: thing.static,
    };
    const [x, y] = thing.position.map((own) => own * ZOOM);
    const [w, h] = thing.size.map((own) => own * ZOOM);
    const body = thing.kind === "circle"
      ? Bodies.circle(x, y, w / 2, look, 40)
      : Bodies.rectangle(x, y, w, h, { ...look, angle: thing.rotation * RADIANS });
    if (!thing.static) {
      const speed = ZOOM * BASE / 1000;
      Body.setMass(body, thing.mass);
      Body.setVelocity(body, { x: thing.velocity[0] * speed, y: thing.velocity[1] * speed });
      Body.setAngularVelocity(body, thing.spin * RADIANS * BASE / 1000);
    }
    numbers.set(body.id, i);
    return body;
  });
  const walls = setting.walls.map(([x, y, length, turn]) => Bodies.rectangle(
    x * ZOOM, y * ZOOM, length * ZOOM, 40 * ZOOM,
    { isStatic: true, angle: turn, restitution: setting.wall_elasticity, friction: setting.wall_friction },
  ));
  Composite.add(world.world, [...bodies, ...walls]);
  const contacts = [];
  let time = 0;
  const number = (body) => numbers.get(body.id) ?? -1;
  Events.on(world, "collisionStart", (event) => {
    for (const pair of event.pairs) contacts.push([time, ...order(number(pair.bodyA), number(pair.bodyB))]);
  });
  const states = [];
  for (let frame = 0; frame < setting.frames; frame++) {
    states.push(bodies.map((body) => {
      const v = Body.getVelocity(body), spin = Body.getAngularVelocity(body) * 1000 / BASE;
      const unit = 1000 / BASE / ZOOM;
      return [body.position.x / ZOOM, body.position.y / ZOOM, body.angle / RADIANS,
        v.x * unit, v.y * unit, spin / RADIANS];
    }));
    for (let k = 0; k < setting.steps; k++) {
      Engine.update(world, 1000 * step);
      time += step;
    }
  }
  return { states, contacts };
}

async function rapier() {
  const api = from("@dimforge/rapier2d-compat");
  await api.init();
  const scale = setting.pixels_per_metre;
  const world = new api.World({ x: setting.gravity[0] / scale, y: setting.gravity[1] / scale });
  world.timestep = step;
  const numbers = new Map();
  const material = (shape, elasticity, friction) => shape.setRestitution(elasticity).setFriction(friction)
    .setActiveEvents(api.ActiveEvents.COLLISION_EVENTS);
  const bodies = setting.things.map((thing, i) => {
    const desc = thing.static ? api.RigidBodyDesc.fixed() : api.RigidBodyDesc.dynamic();
    desc.setTranslation(thing.position[0] / scale, thing.position[1] / scale);
    desc.setRotation(thing.rotation * RADIANS).setLinearDamping(setting.drag).setAngularDamping(setting.drag);
    desc.setLinvel(thing.velocity[0] / scale, thing.velocity[1] / scale).setAngvel(thing.spin * RADIANS);
    const body = world.createRigidBody(desc);
    const [w, h] = thing.size.map((own) => own / 2 / scale);
    const shape = thing.kind === "circle" ? api.ColliderDesc.ball(w) : api.ColliderDesc.cuboid(w, h);
    const made = world.createCollider(material(shape, thing.elasticity, thing.friction).setMass(thing.mass), body);
    numbers.set(made.handle, i);
    return body;
  });
  for (const [x, y, length, turn] of setting.walls) {
    const shape = api.ColliderDesc.cuboid(length / 2 / scale, 20 / scale);
    shape.setTranslation(x / scale, y / scale).setRotation(turn);
    world.createCollider(material(shape, setting.wall_elasticity, setting.wall_friction));
  }
  const events = new api.EventQueue(true);
  const contacts = [], states = [];
  let time = 0;
  const number = (handle) => numbers.get(handle) ?? -1;
  for (let frame = 0; frame < setting.frames; frame++) {
    states.push(bodies.map((body) => {
      const p = body.translation(), v = body.linvel();
      return [p.x * scale, p.y * scale, body.rotation() / RADIANS, v.x * scale, v.y * scale, body.angvel() / RADIANS];
    }));
    for (let k = 0; k < setting.steps; k++) {
      world.step(events);
      events.drainCollisionEvents((a, b, begins) => {
        if (begins) contacts.push([time, ...order(number(a), number(b))]);
      });
      time += step;
    }
  }
  return { states, contacts };
}

Promise.resolve(engine === "matter" ? matter() : rapier()).then((made) => console.log(JSON.stringify(made)));
