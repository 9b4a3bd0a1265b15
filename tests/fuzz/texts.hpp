// Scenes for the fuzzer to start from: tiny, and together with every key that there is.
#pragma once

namespace scree::fuzz {

inline constexpr const char* small_scenes[]{
    R"(title = "obstacles of every shape"
gravity = [0, 0, "-9.81 m/s^2"]
seed = 3

[time]
step = "0.5 ms"
end = "1 s"

[domain]
min = [0, 0, 0]
max = ["10 cm", "8 cm", "20 cm"]
x = "wall"
y = ["wall", "open"]
z = ["wall", "open"]
material = "steel"

[[material]]
name = "glass"
density = "2.5 g/cm^3"
friction = 0.5
restitution = 0.3

[[material]]
name = "steel"
density = 7800
friction = 0.2
restitution = 0

[[surface]]
between = ["glass", "steel"]
friction = 0.3
restitution = 0.1

[solver]
law = "max-dissipation"
sweeps = 10
tolerance = 1e-4
relaxation = 0.9
warm_start = 0.9
accelerate = true
gap_form = "shifted"
error_reduction = 0.2
correction_limit = 0.2
slack = 1e-5
restitution_threshold = "1 cm/s"
rotation = "momentum"
contacts_per_copy = 8
region_pairs = 1000
skin = 0.04
threads = 1
deep_penetration = 0.05
energy_tolerance = 1e-9
trust_share = 0.01

[[obstacle]]
name = "mixer"
material = "steel"
position = ["5 cm", "4 cm", "4 cm"]
turn = { axis = [0, 1, 0], angle = "30 deg" }
motion = { type = "rotate", axis = [0, 0, 1], centre = ["5 cm", "4 cm", 0], rate = "15 rpm", start = "1 ms", stop = "0.5 s" }
shapes = [
    { type = "box", size = "1 cm", position = ["1 cm", 0, 0] },
    { type = "cylinder", radius = "5 mm", length = "2 cm", direction = [0, 0, 1] },
    { type = "capsule", radius = "3 mm", length = "1 cm", turn = { axis = [1, 1, 0], angle = "1 rad" } },
    { type = "ellipsoid", semi_axes = ["3 mm", "4 mm", "5 mm"], position = [0, "1 cm", 0] },
    { type = "profile", radius = "3 mm", length = "3 mm", height = "8 mm", position = [0, 0, "2 cm"] },
    { type = "mesh", vertices = [[0, 0, 0], [0.01, 0, 0], [0, 0.01, 0], [0, 0, 0.01]], triangles = [[0, 1, 2], [1, 2, 3]], scale = 1.5 },
]

[[obstacle]]
name = "table"
shapes = [{ type = "half_space", position = [0, 0, "1 mm"], direction = [0, 0, 1] }]
motion = { type = "oscillate", amplitude = [0, 0, "1 mm"], frequency = "50 Hz", phase = "90 deg" }

[[obstacle]]
name = "gate"
shapes = [{ type = "sphere", radius = "1 cm", position = ["2 cm", "2 cm", "2 cm"] }]
motion = { type = "constant", velocity = ["1 cm/s", 0, 0] }
remove_at = "2 ms"

[[fill]]
name = "bed"
type = "grid"
region = { type = "box", min = [0, 0, "1 cm"], max = ["10 cm", "8 cm", "6 cm"] }
spacing = "1.2 cm"
jitter = 0.5
clear = true
material = "glass"
shape = { type = "sphere", radius = "5 mm" }
sizes = { type = "uniform", min = "8 mm", max = "11 mm" }
velocity = [0, 0, "-1 m/s"]
velocity_spread = ["0.1 m/s", "0.1 m/s", 0]
angular_velocity = [0, "1 rad/s", 0]
angular_velocity_spread = ["1 rad/s", 0, 0]

[[source]]
name = "rain"
type = "rain"
rate = "10000 1/s"
interval = "1 ms"
count = 50
region = { type = "cylinder", centre = ["5 cm", "4 cm", "15 cm"], radius = "3 cm", length = "8 cm", axis = [0, 0, 1] }
material = "glass"
shape = { type = "capsule", radius = "2 mm", length = "4 mm" }
orientation = "random"
start = 0
stop = "0.5 s"

[[sink]]
name = "out"
min = ["-inf", "8 cm", "-inf"]
max = ["inf", "inf", "inf"]

[output]
sample = "1 ms"
frames = "10 ms"
contacts = true
checkpoint_steps = 100

[analysis]
region = { min = [0, 0, 0], max = ["10 cm", "8 cm", "5 cm"] }
plane = ["x", "z"]
cells_across = 10
cells_up = 5
rdf = { type = "sphere", centre = ["5 cm", "4 cm", "3 cm"], radius = "3 cm" }
rdf_diameters = 4
rdf_bins = 50
steady_from = "0.1 s"

[[measure]]
name = "bed"
type = "region"
region = { min = [0, 0, 0], max = ["5 cm", "5 cm", "5 cm"] }

[[measure]]
name = "push"
type = "force"
obstacle = "table"

[[measure]]
name = "heap"
type = "surface"
axis = "r"
from = 0
to = "5 cm"
centre = ["5 cm", "4 cm", 0]
least_height = "1 mm"
bins = 10

[[measure]]
name = "way"
type = "displacement"

[expect]
"bed.solid_fraction" = [0, 1]
penetration.largest = [0, 1e-3]
)",
    R"(title = "a piston in a periodic channel"
gravity = [0, -1, -9]

[time]
step = 1e-3
end = 2

[domain]
min = [0, 0, 0]
max = [0.1, 0.05, 0.05]
x = "open"
y = "periodic"
z = "wall"

[[body]]
name = "boulder"
type = "ellipsoid"
semi_axes = [0.005, 0.006, 0.007]
position = [0.05, 0.02, 0.02]
direction = [1, 1, 0]
velocity = [0.1, 0, 0]
angular_velocity = [0, 0, 3]
mass = 0.01

[[body]]
type = "box"
size = [0.008, 0.009, 0.01]
position = [0.07, 0.02, 0.02]
turn = { axis = [0, 0, 1], angle = 0.5 }

[[body]]
type = "polyhedron"
vertices = [[0, 0, 0], [0.008, 0, 0], [0, 0.009, 0], [0, 0, 0.01], [0.007, 0.007, 0.007]]
position = [0.05, 0.045, 0.02]
scale = 0.9

[[body]]
type = "clump"
parts = [{ type = "sphere", radius = 0.004 }, { type = "box", size = 0.006, position = [0.004, 0, 0] }]
position = [0.03, 0.045, 0.02]

[[body]]
type = "profile"
radius = 0.003
length = 0.004
height = 0.005
position = [0.07, 0.04, 0.02]

[[source]]
name = "inflow"
type = "piston"
position = [0, 0, 0]
normal = [1, 0, 0]
speed = 5
distance = 0.01
region = { min = [0, 0, 0], max = [0.01, 0.05, 0.05] }
spacing = [0.01, 0.01, 0.01]
shape = { type = "cylinder", radius = 0.004, length = 0.006 }
turn = { axis = [0, 1, 0], angle = 1 }
velocity = [5, 0, 0]
start = 0.001
stop = 1

[[source]]
type = "rain"
rate = 2000
region = { type = "sphere", centre = [0.05, 0.025, 0.03], radius = 0.02 }
shape = { type = "box", size = 0.004 }
orientation = "random"
sizes = { type = "lognormal", mean = 0.004, deviation = 0.001, min = 0.003, max = 0.006 }

[[fill]]
type = "grid"
fixed = true
region = { min = [0, 0, 0], max = [0.1, 0.05, 0.005] }
spacing = [0.02, 0.02, 0.005]
shape = { type = "sphere", radius = 0.002 }

[[sink]]
min = [0.1, "-inf", "-inf"]
)",
    R"([time]
step = "1 ms"
end = "1 s"

[[obstacle]]
name = "drum"
shapes = [{ type = "cylinder_wall", radius = "4 cm", direction = [0, 1, 0] }]
motion = { type = "rotate", axis = [0, 1, 0], rate = "2 rad/s" }

[[obstacle]]
name = "ball"
shapes = [{ type = "sphere_wall", radius = "6 cm" }]

[[fill]]
type = "random"
count = 30
region = { type = "cylinder", centre = [0, 0, 0], radius = "3 cm", length = "4 cm", axis = [0, 1, 0] }
shape = { type = "sphere", radius = "2 mm" }
sizes = { type = "sieve", curve = [["2 mm", 0], ["4 mm", 0.5], ["6 mm", 1]] }

[[fill]]
type = "random"
fraction = 0.05
region = { type = "sphere", centre = [0, 0, 0], radius = "3 cm" }
shape = { type = "profile", radius = "1 mm", length = "1 mm", height = "2 mm" }
orientation = "random"

[[fill]]
type = "pour"
count = 40
region = { min = ["-2 cm", "-2 cm", "-2 cm"], max = ["2 cm", "2 cm", "2 cm"] }
shape = { type = "ellipsoid", semi_axes = ["1 mm", "2 mm", "2 mm"] }
sizes = { type = "normal", mean = "3 mm", deviation = "1 mm", min = "2 mm", max = "5 mm" }

[[fill]]
type = "pour"
region = { type = "cylinder", centre = [0, 0, 0], radius = "2 cm", length = "2 cm" }
shape = { type = "sphere", radius = "2 mm" }
sizes = { type = "monodisperse", diameter = "5 mm" }
clear = true
)"};

}  // namespace scree::fuzz
