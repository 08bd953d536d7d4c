// Shared parts of all cases: tubs and lids, bosses, holes in walls, the panel's seat, dowels. Boxes stand with their middle on x = y = 0, floor at z = 0.
//
// Nearly everything is a flat shape, extruded: quick to compute, and printed without overhangs.

// --- Flat shapes -------------------------------------------------------------------------------------------------------------------
module outline(size) { offset(corner) square([size[0] - 2 * corner, size[1] - 2 * corner], center = true); }

module ring(size) { difference() { outline(size); offset(-wall) outline(size); } }

function lid_screws(size) = [for (x = [-1, 1], y = [-1, 1]) [x * (size[0] / 2 - wall - boss / 2 + 1), y * (size[1] / 2 - wall - boss / 2 + 1)]];

function feet(size) = [for (x = [-1, 1], y = [-1, 1]) [x * (size[0] / 2 - foot / 2 - 10), y * (size[1] / 2 - foot / 2 - 6)]];

// The same holes, moved up or down: a wall's holes are relative to its middle.
function shifted(holes, up) = [for (hole = holes) [hole[0], hole[1], hole[2] + up, hole[3], hole[4]]];

// --- Boxes -------------------------------------------------------------------------------------------------------------------------
// An open box with a boss for the lid in every corner, and seats for rubber feet if it has any; children are flat shapes left out of its floor.
module tub(size, tall, footed = true) {
    difference() {
        union() {
            linear_extrude(floor_thick) difference() { outline(size); children(); }
            translate([0, 0, floor_thick - 1]) linear_extrude(tall - floor_thick + 1) {
                ring(size);
                for (at = lid_screws(size)) translate(at) circle(d = boss);
            }
        }
        translate([0, 0, tall - m3_insert_deep]) linear_extrude(m3_insert_deep + 1) for (at = lid_screws(size)) translate(at) circle(d = m3_insert);
        if (footed) translate([0, 0, -1]) linear_extrude(foot_sunk + 1) for (at = feet(size)) translate(at) circle(d = foot + 2 * fit);
    }
}

// A plate with countersunk holes at these places, its underside at z = 0; children are flat shapes that are left out of it.
module plate(size, screws) {
    difference() {
        linear_extrude(lid_thick) difference() { outline(size); children(); }
        for (at = screws) translate([at[0], at[1], 0]) countersunk();
    }
}

module countersunk() {
    wide = m3_head / 2; narrow = m3_hole / 2;
    rotate_extrude() polygon([[0, -1], [narrow, -1], [narrow, lid_thick - wide + narrow], [wide, lid_thick], [wide, lid_thick + 1], [0, lid_thick + 1]]);
}

// The lip that holds a lid between two walls at its ends (they run along y), under z = 0.
module lips(size) {
    long = size[1] - 2 * (wall + boss + 3);
    for (side = [-1, 1]) translate([side * (size[0] / 2 - wall - fit - 0.8) - 0.8, -long / 2, -2]) cube([1.6, long, 3]);
}

// --- Holes in walls ----------------------------------------------------------------------------------------------------------------
// A round hole as it stands in a wall (a flat shape, y upwards): its roof is a gable, so that it prints standing.
module gabled(d) {
    hull() {
        circle(d = d);
        translate([0, d / 2 * 1.08]) square([d * 0.34, 0.2], center = true);
    }
}

// Cuts flat shapes, x along the wall and y upwards, through a wall that runs along y (or x) at 0.
module through_along_y() { rotate([90, 0, 90]) linear_extrude(30, center = true) children(); }

module through_along_x() { rotate([90, 0, 0]) linear_extrude(30, center = true) children(); }

// Upright slots for air in a wall: a flat shape, from y = 0 up.
module vents(count, tall) {
    for (i = [0 : count - 1]) translate([(i - (count - 1) / 2) * 7 - 1.5, 0]) square([3, tall]);
}

// A cable's way out through a wall (a flat shape, from y = 0 up), and behind it, on the floor, a bridge for a cable tie.
module cable_hole() { translate([-plug_hole[0] / 2, 0]) square(plug_hole); }

module cable_tie_bridge() {
    difference() {
        translate([-4, -8, -1]) cube([8, 16, 8]);
        translate([-5, -5.5, 0]) cube([10, 11, 3]);
    }
}

// --- The panel's seat, on the underside (z = 0) of a plate; its middle at 0, 0 ---------------------------------------------------------------
panel_open = [panel_lit[0] + 2 * window_more, panel_lit[1] + 2 * window_more];
clamp_at = [for (x = [-45, 45], y = [-1, 1]) [x, y * (panel_glass[1] / 2 + fit + 1.6 + boss / 2)]];

module panel_window() { translate(panel_shift) square(panel_open, center = true); }

// Bevelled edges round the window: not sharp, the glass does not look sunk, and at 45 degrees it prints face down.
module panel_bevel() {
    translate(panel_shift) hull() {
        translate([0, 0, lid_thick - 2.5]) linear_extrude(0.01) square(panel_open, center = true);
        translate([0, 0, lid_thick]) linear_extrude(0.01) offset(delta = 2.51) square(panel_open, center = true);
    }
}

// Four corners around the glass, and four bosses for the clamps: they hold the rim, so the panel's own holes do not matter.
module panel_seat() {
    inner = [panel_glass[0] + 2 * fit, panel_glass[1] + 2 * fit];
    translate([0, 0, -3]) linear_extrude(4) difference() {
        square([inner[0] + 3.2, inner[1] + 3.2], center = true);
        square(inner, center = true);
        square([inner[0] - 40, inner[1] + 10], center = true);
        square([inner[0] + 10, inner[1] - 40], center = true);
    }
    translate([0, 0, -panel_rim]) linear_extrude(panel_rim + 1) for (at = clamp_at) translate(at) difference() { circle(d = boss); circle(d = m3_insert); }
}

// Presses the panel's rim from behind, with 1 mm of foam tape between. Four are needed.
module clamp() {
    difference() {
        linear_extrude(4) hull() { circle(d = boss); translate([14, 0]) circle(d = boss); }
        translate([0, 0, -1]) cylinder(d = m3_hole, h = 6);
    }
}

// The room the panel takes: glass and rim, then the driver board.
module panel_ghost() {
    translate([0, 0, -panel_rim / 2 - 0.01]) cube([panel_glass[0], panel_glass[1], panel_rim], center = true);
    for (x = [-1, 1]) translate([x * (panel_glass[0] / 2 - 4), 0, -panel_rim]) linear_extrude(1.6) square([8, panel_ears[1]], center = true);
    translate([0, 0, -panel_depth]) linear_extrude(panel_depth - 1) square([panel_glass[0] - 20, panel_glass[1] - 20], center = true);
}

// The room the strip board takes, lying on the floor: the board, and across its middle the ribbon's plug.
module strip_board_ghost() {
    cube(strip_board);
    translate([0, (strip_board[1] - strip_plug[0]) / 2, 0]) cube([strip_board[0], strip_plug[0], strip_plug[1]]);
}

// The same on its edge, along a wall that is on its -x side.
module strip_board_on_edge() { translate([0, 0, strip_board[0]]) rotate([0, 90, 0]) strip_board_ghost(); }

// --- Joining two boxes along a wall ---------------------------------------------------------------------------------------------------
// Four M3 screws with nuts, two dowels, and a way for the wires: a flat shape, symmetric, so that both ends of a box take the same neighbour.
joint_x = 66;
module joint_holes() {
    for (x = [-joint_x, joint_x], z = [14, 40]) translate([x, z]) gabled(m3_hole);
    for (x = [-joint_x, joint_x]) translate([x, 27]) gabled(dowel + fit);
    translate([-12, 12]) square([24, 18]);
}

// Goes through both walls, its collar inside one of them.
module dowel_pin() { cylinder(d = dowel + 4, h = 2); cylinder(d = dowel, h = 2 + 2 * wall); }

// --- Bought parts: the room below a plate at z = 0, and the visible part above ---------------------------------------------------------
module dome_ghost(plate) {
    translate([0, 0, -(dome_depth - plate)]) cylinder(d = dome_body, h = dome_depth - plate - 0.02);
    translate([0, 0, -plate]) cylinder(d = dome_hole - 0.6, h = 2 * plate);
    translate([0, 0, plate]) cylinder(d = dome, h = 5);
    translate([0, 0, plate + 5]) cylinder(d1 = dome - 10, d2 = dome - 26, h = 9);
}

module arcade_ghost(plate) {
    translate([0, 0, -(arcade_depth - plate)]) cylinder(d = arcade_body, h = arcade_depth + plate);
    translate([0, 0, plate]) cylinder(d = arcade_flange - 0.4, h = 3);
    translate([0, 0, plate + 3]) cylinder(d = arcade - 6, h = 4);
}

// Sits in a wall that ends at x = 0 inside, reaches inwards along +x.
module wall_ghost(nut, deep) {
    rotate([0, 90, 0]) { cylinder(d = nut, h = 5); cylinder(d = nut * 0.75, h = deep); translate([0, 0, -wall - 2]) cylinder(d = nut * 0.7, h = wall + 2); }
    translate([-wall - 3, 0, 0]) rotate([0, 90, 0]) cylinder(d = nut * 1.05, h = 2.9);
}
